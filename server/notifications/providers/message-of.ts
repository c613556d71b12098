import { z } from 'zod';
import { readJson } from './read-json';

const Refusal = z.looseObject({ message: z.string() });

/** Returns the `message` of a JSON error; null for anything else. */
export function messageOf(body: string): string | null {
  return readJson(Refusal, body)?.message ?? null;
}
