import { expect, it } from 'vitest';
import { Line, NO_CONTROLS, StrictLine } from '@/server/text/schema';

const texts = [
  ['a line separator', 'Shop\u2028down', 'Shop down'],
  ['a paragraph separator at the end', 'Shop\u2029', 'Shop'],
  ['an override', 'Shop \u202egnp.exe', 'Shop gnp.exe'],
  ['isolates', '\u2066Shop\u2069', 'Shop'],
  ['nothing but an override', '\u202e', ''],
  ['Arabic with its mark', 'متجر\u200f', 'متجر\u200f'],
  ['an emoji of several characters', '👩‍💻 é', '👩‍💻 é'],
] as const;

it.each(texts)('keeps a name with %s on one line and in order', (_what, text, clean) => {
  expect(Line.parse(text)).toBe(clean);
  expect(StrictLine.parse(text)).toBe(clean);
});

it('replaces control characters with a space, or refuses them', () => {
  expect(Line.parse('Shop\r\n\u0085down\n')).toBe('Shop down');
  expect(StrictLine.parse(' Shop\n')).toBe('Shop');
  expect(StrictLine.safeParse('Shop\u0007').error?.issues[0]?.message).toBe(NO_CONTROLS);
});

it('counts a name after it was cleaned', () => {
  const Name = Line.min(1).max(4);
  expect(Name.safeParse('\u202e').success).toBe(false);
  expect(Name.parse('\u202eShop\u202c')).toBe('Shop');
});
