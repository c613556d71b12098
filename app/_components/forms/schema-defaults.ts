import { z } from 'zod';

/** The defaults of an object schema by field. */
export function schemaDefaults({ shape }: z.ZodObject): Record<string, unknown> {
  const found = Object.entries(shape).map(([name, field]) => [name, z.safeParse(field, undefined).data] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}
