import {
  beginsWithVariable,
  completeAddress,
  type Extraction,
  type FormField,
  type HttpAssertion,
  type Step,
} from '@/server/monitor-types/schema';
import { parseDuration, writeDuration } from './duration';
import { readRuleValue, writeRuleValue } from './rule-value';

/** Converts values of the config to values of the form's fields and back. Undefined values are omitted from the config. */
interface Kind<Value = unknown, Held = unknown> {
  from(value: Value | undefined, field: FormField): Held;
  to(held: Held, field: FormField): Value | undefined;
}

const written = (value: unknown) => (value === undefined ? '' : String(value));
const parts = (text: string, separator: RegExp) => text.split(separator).filter((part) => part.trim() !== '');

const verbatim: Kind<string, string> = { from: written, to: (text) => text };

const switched: Kind<boolean, boolean> = { from: (value) => value === true, to: (on) => on };

/** A whole number as text. Invalid text becomes NaN, which every schema rejects; empty text of an optional field is no value. */
const number: Kind<number, string> = {
  from: written,
  to(text, { optional }) {
    if (optional && text.trim() === '') return undefined;
    return /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  },
};

const duration: Kind<number, string> = {
  from: (value, { unitMs = 1 }) => writeDuration(value === undefined ? value : value * unitMs),
  to(text, { unitMs = 1 }) {
    const ms = parseDuration(text);
    return ms === null ? undefined : ms / unitMs;
  },
};

/** Stores the value of the choice as text. For any other value, such as none, the first choice is selected. */
const select: Kind<unknown, string> = {
  from(value, { options = [] }) {
    const isChoice = options.some((option) => option.value === value);
    return String(isChoice ? value : options[0]?.value);
  },
  to: (held, { options = [] }) => options.find(({ value }) => String(value) === held)?.value,
};

/** For kinds that do not use it. */
const NO_FIELD: FormField = { label: '', kind: 'text', group: 'target' };

export interface HeaderField {
  name: string;
  value: string;
}

const headers: Kind<Record<string, string>, HeaderField[]> = {
  from: (value = {}) => Object.entries(value).map(([name, text]) => ({ name, value: text })),
  to(fields) {
    const filled = fields.filter(({ name, value }) => name || value);
    return Object.fromEntries(filled.map(({ name, value }) => [name.trim(), value]));
  },
};

/**
 * Finds names that an object of the config cannot hold beside each other, or at all: with equal names, only the last pair would be stored.
 * @param one what a name stands for
 */
function pairFault(pairs: HeaderField[], one: 'header' | 'variable'): string | null {
  const names = pairs.map(({ name }) => name.trim()).filter((name) => name !== '');
  if (names.includes('__proto__')) return `A ${one} cannot be named __proto__.`;
  const seen = new Set<string>();
  for (const name of names) {
    // Names of headers are the same in any case (RFC 9110, section 5.1).
    const known = one === 'header' ? name.toLowerCase() : name;
    if (seen.has(known)) return `Two ${one}s are named ${name}.`;
    seen.add(known);
  }
  return null;
}

/** What is wrong with the names in a field, by their path below it. */
export function nameFaults({ kind }: FormField, held: unknown): { path: string; message: string }[] {
  const lists: [path: string, fault: string | null][] =
    kind === 'steps'
      ? (held as StepField[]).map((step, index) => [`.${index}.headers`, pairFault(step.headers, 'header')])
      : kind === 'headers' || kind === 'variables'
        ? [['', pairFault(held as HeaderField[], kind === 'headers' ? 'header' : 'variable')]]
        : [];
  return lists.flatMap(([path, message]) => (message === null ? [] : { path, message }));
}

export type RuleField = Pick<HttpAssertion, 'source' | 'operator'> & { property: string; value: string };

const assertions: Kind<HttpAssertion[], RuleField[]> = {
  from: (rules = []) =>
    rules.map(({ source, property = '', operator, value }) => {
      return { source, property, operator, value: writeRuleValue(source, value) };
    }),
  to: (fields) =>
    fields.map(({ source, property, operator, value }) => {
      const takesProperty = source === 'header' || source === 'json';
      const takesValue = operator !== 'exists' && operator !== 'notExists';
      return {
        source,
        operator,
        ...(takesProperty && property.trim() && { property: property.trim() }),
        ...(takesValue && value !== '' && { value: readRuleValue(source, value) }),
      };
    }),
};

/** The values of a step's fields. */
export interface StepField extends Pick<Step, 'name' | 'url' | 'method' | 'followRedirects'> {
  headers: HeaderField[];
  body: string;
  expectedStatus: string;
  assertions: RuleField[];
  extract: Extraction[];
}

const list: Kind<string[], string> = {
  from: (values = []) => values.join(', '),
  to: (text) => parts(text, /[\s,]+/),
};

/** Completes a URL, unless it begins with a variable. */
export const completeTemplate = (text: string) =>
  beginsWithVariable(text.trim()) ? text.trim() : completeAddress(text);

/** The fields of a step; of a new one, with the defaults of the schema. */
export function toStepField(step: Partial<Step> = {}): StepField {
  const { name = '', url = '', method = 'GET', body = '', expectedStatus = ['200-299'], extract = [] } = step;
  const { followRedirects = true } = step;
  return {
    name,
    url,
    method,
    headers: headers.from(step.headers, NO_FIELD),
    body,
    expectedStatus: list.from(expectedStatus, NO_FIELD),
    followRedirects,
    assertions: assertions.from(step.assertions, NO_FIELD),
    extract,
  };
}

const fromStepField = ({ name, url, body, extract, ...step }: StepField) => ({
  ...step,
  name: name.trim(),
  url: completeTemplate(url),
  headers: headers.to(step.headers, NO_FIELD),
  ...(body !== '' && { body }),
  expectedStatus: list.to(step.expectedStatus, NO_FIELD),
  assertions: assertions.to(step.assertions, NO_FIELD),
  extract: extract.map((each) => ({ ...each, name: each.name.trim(), expression: each.expression.trim() })),
});

const steps: Kind<Partial<Step>[], StepField[]> = {
  from: (values = [{}]) => values.map(toStepField),
  to: (fields) => fields.map(fromStepField) as Partial<Step>[],
};

const kinds: Record<FormField['kind'], Kind> = {
  text: { from: written, to: (text: string) => text.trim() },
  verbatim,
  multiline: verbatim,
  url: { from: written, to: (text: string, { scheme }) => completeAddress(text, scheme) },
  number,
  duration,
  switch: switched,
  select,
  list,
  lines: { from: (values: string[] = []) => values.join('\n'), to: (text: string) => parts(text, /\n/) },
  headers,
  assertions,
  steps,
  variables: headers,
  interval: { from: () => undefined, to: () => undefined },
};

/** The form's value for a value of the config. */
export const fromConfig = (field: FormField, value: unknown) => kinds[field.kind].from(value, field);

/** The config's value for a value of the form, without validation; undefined if the field is empty. */
export function toConfig(field: FormField, held: unknown): unknown {
  if (held === undefined) return undefined;
  const value = kinds[field.kind].to(held, field);
  return field.optional && value === '' ? undefined : value;
}
