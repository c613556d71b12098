import { expect, test } from 'vitest';
import { totalOf, waterfall } from '@/app/_components/charts/phases';

test('starts each phase where the previous one ended, and draws no bar for a phase that did not happen', () => {
  expect(waterfall({ dns: 10, connect: 20, tls: null, firstByte: 60, download: 10 })).toEqual({
    dns: { left: 0, width: 0.1 },
    connect: { left: 0.1, width: 0.2 },
    tls: null,
    firstByte: { left: 0.3, width: 0.6 },
    download: { left: 0.9, width: 0.1 },
  });
});

test('places phases of 0 ms at the start', () => {
  expect(waterfall({ dns: 0, connect: null, tls: null, firstByte: null, download: null }).dns).toEqual({
    left: 0,
    width: 0,
  });
});

test('totals the phases of a check without a response', () => {
  expect(totalOf({ dns: 3, connect: 12, tls: 40, firstByte: null, download: null })).toBe(55);
  expect(totalOf({ dns: null, connect: null, tls: null, firstByte: null, download: null })).toBeNull();
});
