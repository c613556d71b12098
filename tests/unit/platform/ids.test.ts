import { expect, it } from 'vitest';
import { newId } from '@/server/platform/ids';

it('generates ULIDs that sort by creation time', () => {
  const ids = Array.from({ length: 5_000 }, newId);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
  expect(ids.every((id) => /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(id))).toBe(true);
});
