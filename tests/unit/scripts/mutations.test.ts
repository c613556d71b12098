import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mutations } from '../../mutations/mutations.mjs';

describe('mutations', () => {
  it('each change one place of the product and name a test', () => {
    const wrong = mutations.filter(({ file, from, test }) => {
      const places = readFileSync(file, 'utf8').split(from).length - 1;
      return places !== 1 || !existsSync(test);
    });
    expect(wrong).toEqual([]);
  });
});
