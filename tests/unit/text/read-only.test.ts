import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import { readOnly } from '@/server/text/read-only';

const look = vi.fn(() => true);
const Response = z.object({
  id: z.string(),
  now: z.object({ name: z.string() }).nullable(),
  warnings: z.array(z.object({ text: z.string().refine(look) })),
});
const Update = z.strictObject({ name: z.string(), ...readOnly(Response) });

it('accepts what was returned, or a part of it', () => {
  expect(Update.safeParse({ name: 'a' }).success).toBe(true);
  expect(Update.safeParse({ name: 'a', id: '1', now: null, warnings: [{ text: 'b' }] }).success).toBe(true);
});

it('rejects unknown fields', () => {
  expect(Update.safeParse({ name: 'a', now: { name: 'b', nmae: 'c' } }).success).toBe(false);
});

it('does not look into lists, whose elements would each cost time', () => {
  look.mockClear();
  expect(Update.safeParse({ name: 'a', warnings: Array(4_000).fill({}) }).success).toBe(true);
  expect(Update.safeParse({ name: 'a', warnings: Array(4_000).fill({ text: 'b' }) }).success).toBe(true);
  expect(look).not.toHaveBeenCalled();
});
