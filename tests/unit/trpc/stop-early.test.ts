import { expect, it } from 'vitest';
import { z } from 'zod';
import { stopEarly } from '@/server/trpc/stop-early';

let validated = 0;
const Value = z.string().or(
  z.custom<number>(() => {
    validated += 1;
    return false;
  }),
);
const Input = z.strictObject({ monitors: z.array(z.strictObject({ headers: z.record(z.string(), Value) })).max(100) });
stopEarly([Input]);

const inputOf = (monitors: number, value: unknown) => ({
  monitors: Array.from({ length: monitors }, () => ({
    headers: Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`h${index}`, value])),
  })),
});

/** Counts the issues as tRPC finds them, which awaits the result. */
async function issuesOf(input: unknown): Promise<number> {
  validated = 0;
  return (await Input.safeParseAsync(input)).error?.issues.length ?? 0;
}

it('finds all wrong fields of an input', async () => {
  expect(await issuesOf(inputOf(40, 1))).toBe(2_000);
});

it('refuses a large input at its first wrong fields', async () => {
  expect(await issuesOf(inputOf(100, 1))).toBeLessThanOrEqual(50);
  expect(validated).toBeLessThanOrEqual(50);
});

it('accepts a large input that is valid', async () => {
  expect(await issuesOf(inputOf(100, 'a'))).toBe(0);
});

it.each([
  ['too long', 'abcdef'],
  ['not a match', 'A'],
])('refuses a large input at its first values that are %s', async (_name, value) => {
  const Text = z
    .string()
    .max(5)
    .regex(/^[a-z]*$/);
  const Texts = z.strictObject({
    monitors: z.array(z.strictObject({ headers: z.record(z.string(), Text.optional()) })),
  });
  stopEarly([Texts]);
  const countOf = async (monitors: number) =>
    (await Texts.safeParseAsync(inputOf(monitors, value))).error?.issues.length;
  expect(await countOf(40)).toBe(2_000);
  expect(await countOf(100)).toBe(50);
});
