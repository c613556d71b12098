import { expect, it } from 'vitest';
import { inNightly } from '@/tests/support/nightly';
import { fuzz } from './fuzz';

const TRACES = inNightly(100_000, 2_000);
const FIRST_SEED = 1;

it(`keeps every invariant in ${TRACES} random traces`, { timeout: inNightly(14_400_000, 600_000) }, () => {
  const broken = fuzz(FIRST_SEED, TRACES);
  expect(broken.slice(0, 3), `${broken.length} traces, the first ones`).toEqual([]);
});
