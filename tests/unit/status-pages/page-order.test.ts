import { describe, expect, it } from 'vitest';
import { pageOrder } from '@/server/status-pages/page-order';

const componentIds = ['c1', 'c2'];

describe('order of a status page', () => {
  it.each([
    ['stays without a change', ['m1', 'c1', 'm2', 'c2'], ['m1', 'm2'], ['m1', 'c1', 'm2', 'c2']],
    ['keeps components behind their monitor', ['m1', 'c1', 'm2', 'c2'], ['m2', 'm1'], ['m2', 'c2', 'm1', 'c1']],
    ['keeps components that come first', ['c1', 'm1', 'c2'], ['m2', 'm1'], ['c1', 'm2', 'm1', 'c2']],
    ['moves components of a removed monitor to the one before', ['m1', 'm2', 'c1', 'c2'], ['m1'], ['m1', 'c1', 'c2']],
    ['puts added monitors where they were named', ['m1', 'c1', 'c2'], ['m1', 'm3'], ['m1', 'c1', 'c2', 'm3']],
    ['has components alone', ['c2', 'c1'], [], ['c2', 'c1']],
  ])('%s', (_name, former, monitorIds, expected) => {
    expect(pageOrder(former, { monitorIds, componentIds })).toEqual(expected);
  });

  it('follows a given order, and what that leaves out comes after it', () => {
    const former = ['m1', 'c1', 'm2', 'c2'];
    expect(pageOrder(former, { monitorIds: ['m1', 'm2'], componentIds, given: ['c2', 'm2'] })).toEqual([
      ...['c2', 'm2'],
      ...['m1', 'c1'],
    ]);
    expect(pageOrder(former, { monitorIds: ['m2', 'm3'], componentIds: ['c2', 'c3'], given: [] })).toEqual([
      ...['m2', 'c2'],
      ...['m3', 'c3'],
    ]);
  });
});
