import type { z } from 'zod';

/** The maximum number of values of an input whose wrong fields are all found. The largest input of a form, a status page, has 2,500. */
const MOST_VALUES = 3_000;

/** Whether an input, which is JSON, has more than `MOST_VALUES` values. */
function isLarge(input: unknown): boolean {
  const line = [input];
  for (let count = 0; line.length > 0; count += 1) {
    if (count > MOST_VALUES) return true;
    const value = line.pop();
    if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) line.push(each);
  }
  return false;
}

const isSchema = (each: unknown): each is z.core.$ZodType =>
  typeof each === 'object' &&
  each !== null &&
  '_zod' in each &&
  typeof (each as z.core.$ZodType)._zod.run === 'function';

/** Returns the schemas in a part of a definition: the part, or those of a list or object. */
function schemasIn(part: unknown): z.core.$ZodType[] {
  if (isSchema(part)) return [part];
  return typeof part === 'object' && part !== null ? Object.values(part).filter(isSchema) : [];
}

/** Returns schemas and all that they consist of, each once. */
function withParts(schemas: Iterable<z.core.$ZodType>): Set<z.core.$ZodType> {
  const all = new Set(schemas);
  // A set yields what is added while it is read.
  for (const { _zod } of all)
    for (const part of Object.values(_zod.def)) for (const each of schemasIn(part)) all.add(each);
  return all;
}

type Result = z.core.ParsePayload;

/** Marks wrong fields as a reason to stop. By default, only those of a wrong type are one, not those that are too long or do not match. */
function marked(result: Result): Result {
  for (const issue of result.issues) Object.assign(issue, { continue: false });
  return result;
}

/**
 * Makes schemas stop at the first wrong fields of a large input. Zod takes up to 25 µs for each wrong field, also for those that the response does not
 * name, and a body may have 10,000 values: a quarter of a second of the thread. Zod rejects a list that is too long before it validates its elements.
 */
export function stopEarly(schemas: Iterable<z.core.$ZodType>): void {
  const inputs = new Set(schemas);
  for (const schema of withParts(inputs)) {
    const { _zod } = schema;
    const { run } = _zod;
    const isInput = inputs.has(schema);
    _zod.run = (payload, given) => {
      const ctx = isInput && isLarge(payload.value) ? { ...given, abortEarly: true } : given;
      const result = run(payload, ctx);
      if (!ctx.abortEarly) return result;
      return result instanceof Promise ? result.then(marked) : marked(result);
    };
  }
}
