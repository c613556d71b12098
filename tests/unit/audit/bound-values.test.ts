import { describe, expect, it } from 'vitest';
import { boundValues } from '@/server/audit/bound-values';

const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

describe('boundValues', () => {
  it('leaves an ordinary change unchanged', () => {
    const side = { name: 'Shop', tags: ['a', 'b'], config: { url: 'https://shop.example/', confirm: { failures: 2 } } };
    expect(boundValues(side)).toEqual(side);
  });

  it('truncates a long text and states its length', () => {
    const { body } = boundValues({ body: '🔑'.repeat(1_234) }) as { body: string };
    expect(body).toBe(`${'🔑'.repeat(500)}… (1,234 characters)`);
  });

  it('truncates a long list and states its number of items', () => {
    const { ids } = boundValues({ ids: Array.from({ length: 1_500 }, (_, index) => index) }) as { ids: unknown[] };
    expect(ids).toHaveLength(101);
    expect(ids.at(-1)).toBe('… and 1,400 more');
  });

  it.each([
    ['many long texts', { texts: Array.from({ length: 1_000 }, () => 'x'.repeat(10_000)) }],
    [
      'many fields',
      Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field-${index}`, 'x'.repeat(900)])),
    ],
    ['fields with long names', { ['x'.repeat(100_000)]: 1, name: 'Shop' }],
    [
      'lists of lists',
      { deep: Array.from({ length: 200 }, () => Array.from({ length: 200 }, () => ['x'.repeat(99)])) },
    ],
    ['multi-byte texts', { texts: Array.from({ length: 500 }, () => '🔑'.repeat(600)) }],
    ['deep nesting', JSON.parse(`${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`) as Record<string, unknown>],
  ])('keeps %s within 16 KiB', (_name, side) => {
    expect(sizeOf(boundValues(side))).toBeLessThanOrEqual(16 * 1024);
  });
});
