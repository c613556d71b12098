import type { z } from 'zod';

/** Parses an answer in a provider's own JSON form; null for anything else, such as the error page of a proxy. */
export function readJson<Schema extends z.ZodType>(schema: Schema, body: string): z.output<Schema> | null {
  try {
    return schema.safeParse(JSON.parse(body)).data ?? null;
  } catch {
    return null;
  }
}
