import { expect, it } from 'vitest';
import { speaksAgainst } from '@/server/checks/verdict/speaks-against';
import type { WatchState } from '@/server/checks/verdict/types';

type Case = [
  status: WatchState['status'],
  openIncident: WatchState['openIncident'],
  verdict: 'up' | 'degraded' | 'down' | 'unknown',
  degraded: number | null,
  expected: boolean,
];

const cases: Case[] = [
  ['up', null, 'up', 3, false],
  ['pending', null, 'up', 3, false],
  ['unknown', null, 'up', 3, false],
  ['up', null, 'down', 3, true],
  ['up', null, 'degraded', 3, true],
  ['up', null, 'unknown', 3, false],
  ['down', 'downtime', 'down', 3, false],
  ['down', 'downtime', 'up', 3, true],
  ['down', 'downtime', 'degraded', 3, true],
  ['down', null, 'down', 3, true],
  ['unknown', 'downtime', 'up', 3, true],
  ['degraded', 'degraded', 'degraded', 3, false],
  ['degraded', 'degraded', 'up', 3, true],
  ['degraded', 'degraded', 'down', 3, true],
  ['degraded', null, 'degraded', 3, true],
  ['degraded', null, 'degraded', null, false],
  ['up', null, 'degraded', null, false],
  ['down', 'downtime', 'degraded', null, true],
];

it.each(cases)(
  'while %s with %s open, a check that is %s (degraded after %s): %s',
  (...[status, openIncident, verdict, degraded, expected]) => {
    const state = { status, openIncident, steadySince: null, changes: [] };
    expect(speaksAgainst(state, { status: verdict, error: null }, { degraded })).toBe(expected);
  },
);
