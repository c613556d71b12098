import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LONGEST } from '@/tests/support/longest-first';

test('the test files that start first exist', () => {
  expect(LONGEST.filter((path) => !existsSync(path))).toEqual([]);
});
