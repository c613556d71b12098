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
  /** Converts the fields to the input, without validation. */
  toInput: (fields: Fields) => unknown;
  /** The field that shows an issue at a path of the input; null for the form as a whole. */
  fieldOf: (path: string, fields: Fields) => string | null | undefined;
  /** The message of an issue, by default that of the schema. */
  words?: (issue: InputIssue, path: string, fields: Fields) => string;
  /** Issues that the schema does not find. */
  faults?: (fields: Fields) => { path: string; message: string }[];
}

/**
 * The schema of a form: converts its fields to the input of the API and validates them with the API's schema. Issues are assigned to the field that
 * shows them, or to `root`.
 */
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
