import { z } from 'zod';

export interface InputIssue {
  code?: string | undefined;
  message: string;
  minimum?: unknown;
  maximum?: unknown;
}

export interface InputFormOptions<Fields, Input> {
  /** The schema of the API's input. */
  schema: z.ZodType<Input>;
  /** What the fields ask for, not yet validated. */
  toInput: (fields: Fields) => unknown;
  /** The field that shows an issue at a path of the input; none for the form as a whole. */
  fieldOf: (path: string, fields: Fields) => string | null | undefined;
  /** The message at a field, by default that of the schema. */
  words?: (issue: InputIssue, path: string, fields: Fields) => string;
  /** Issues of the input that the schema does not find. */
  faults?: (fields: Fields) => { path: string; message: string }[];
}

/** The schema of a form: its fields become the input of the API, which the API's schema validates. Issues stand at the fields that show them, or at `root`. */
export function inputForm<Fields, Input>(options: InputFormOptions<Fields, Input>) {
  const { schema, toInput, fieldOf, words = ({ message }) => message, faults = () => [] } = options;
  return z.custom<Fields>().transform((fields, ctx) => {
    const { data, error } = schema.safeParse(toInput(fields));
    const found = (error?.issues ?? []).map((issue) => ({ ...issue, path: issue.path.join('.') }));
    for (const issue of [...faults(fields), ...found]) {
      const field = fieldOf(issue.path, fields);
      const message = field ? words(issue, issue.path, fields) : issue.message;
      ctx.addIssue({ code: 'custom', path: (field ?? 'root').split('.'), message });
    }
    return data ?? z.NEVER;
  });
}
