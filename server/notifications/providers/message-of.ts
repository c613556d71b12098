import { z } from 'zod';

const Refusal = z.looseObject({ message: z.string() });

/** The `message` of a JSON error, as sent by Discord and LINE; null for anything else. */
export function messageOf(body: string): string | null {
  try {
    return Refusal.safeParse(JSON.parse(body)).data?.message ?? null;
  } catch {
    return null;
  }
}
