import { expect, it } from 'vitest';
import { parseCursor, parseTimeCursor } from '@/server/platform/cursor';

it('reads back what a page gave', () => {
  const at = new Date('2026-02-28T12:00:00.123Z');
  expect(parseTimeCursor(at.toISOString())).toEqual(at);
  expect(parseCursor(`${at.toISOString()}_01ABC`)).toEqual({ at, id: '01ABC' });
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
])('%j is no place in a list', (text) => {
  const refusal = expect.objectContaining({
    code: 'VALIDATION_ERROR',
    issues: [expect.objectContaining({ path: 'cursor' })],
  });
  expect(() => parseTimeCursor(text)).toThrow(refusal);
  expect(() => parseCursor(`${text}_01ABC`)).toThrow(refusal);
});

it.each(['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z_', '2026-01-01T00:00:00.000Z_a_b'])(
  '%j lacks its id',
  (text) => expect(() => parseCursor(text)).toThrow(),
);
