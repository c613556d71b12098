import { expect, it } from 'vitest';
import { parseCursor, parseTimeCursor } from '@/server/platform/cursor';

const ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

it('decodes the cursor of a page', () => {
  const at = new Date('2026-02-28T12:00:00.123Z');
  expect(parseTimeCursor(at.toISOString())).toEqual(at);
  expect(parseCursor(`${at.toISOString()}_${ID}`)).toEqual({ at, id: ID });
});

it.each([
  '',
  'x',
  '2026',
  '0',
  '2026-02-30T00:00:00.000Z',
  '2026-13-01T00:00:00.000Z',
  '2026-01-01T24:00:00.000Z',
  '2026-01-01T00:00:00Z',
  '0000-01-01T00:00:00.000Z',
  '1969-12-31T23:59:59.999Z',
  '+275760-09-13T00:00:00.000Z',
  '-271821-04-20T00:00:00.000Z',
])('rejects the cursor %j', (text) => {
  const refusal = expect.objectContaining({
    code: 'VALIDATION_ERROR',
    issues: [expect.objectContaining({ path: 'cursor' })],
  });
  expect(() => parseTimeCursor(text)).toThrow(refusal);
  expect(() => parseCursor(`${text}_${ID}`)).toThrow(refusal);
});

it.each(['', '_', '_zzz', `_${ID.toLowerCase()}`, `_8${ID.slice(1)}`, `_${ID}0`, `_${ID}_`, `_${ID}_${ID}`])(
  'rejects %j as an ID in a cursor',
  (end) => expect(() => parseCursor(`2026-01-01T00:00:00.000Z${end}`)).toThrow(/nextCursor/),
);
