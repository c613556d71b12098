import type { z } from 'zod';
import { exceededLimit } from '@/server/platform/json-size';

/** More than any answer or callback has; a message with its blocks and buttons has a few hundred values. */
const LIMITS = { levels: 50, values: 2_000, fields: 500 };

/** Parses a response or a callback in a provider's own JSON form; null for anything else, such as the error page of a proxy. */
export function readJson<Schema extends z.ZodType>(schema: Schema, body: string): z.output<Schema> | null {
  if (exceededLimit(Buffer.from(body), LIMITS)) return null;
  try {
    return schema.safeParse(JSON.parse(body)).data ?? null;
  } catch {
    return null;
  }
}
