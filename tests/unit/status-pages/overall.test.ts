import { describe, expect, it } from 'vitest';
import type { MonitorStatus } from '@/server/monitors/schema';
import { overallOf } from '@/server/status-pages/overall';

describe('a page in a word and a sentence', () => {
  it.each<[MonitorStatus[], string, string]>([
    [[], 'unknown', 'Nothing is watched here yet'],
    [['pending'], 'unknown', 'Nothing was checked yet'],
    [['paused', 'paused'], 'unknown', 'Nothing is watched just now'],
    [['paused', 'pending'], 'unknown', 'Nothing was checked yet'],
    [['up'], 'operational', 'Everything works'],
    [['up', 'paused', 'pending'], 'operational', 'Everything works'],
    [['up', 'maintenance'], 'maintenance', 'S1 is under maintenance'],
    [['up', 'unknown'], 'unknown', 'We cannot tell how S1 is just now'],
    [['unknown', 'unknown', 'up'], 'unknown', 'We cannot tell how 2 of 3 services are just now'],
    [['maintenance', 'unknown'], 'unknown', 'We cannot tell how S1 is just now'],
    [['up', 'degraded', 'unknown'], 'degraded', 'S1 is degraded'],
    [['up', 'degraded', 'down'], 'down', 'S2 is down'],
    [['down', 'down', 'up', 'paused'], 'down', '2 of 4 services are down'],
    [['unknown', 'unknown', 'up', 'pending'], 'unknown', 'We cannot tell how 2 of 4 services are just now'],
    [['down', 'down'], 'down', 'Everything is down'],
    [['down'], 'down', 'S0 is down'],
  ])('%j is %s: %s', (statuses, overall, headline) => {
    const components = statuses.map((status, index) => ({ name: `S${index}`, status }));
    expect(overallOf(components)).toEqual({ overall, headline });
  });

  it.each<[MonitorStatus, number, string, string]>([
    ['up', 1, 'degraded', 'We know of a problem'],
    ['up', 3, 'degraded', 'We know of 3 problems'],
    ['down', 1, 'down', 'S0 is down'],
  ])('%s with %d open incidents is %s: %s', (status, open, overall, headline) => {
    expect(overallOf([{ name: 'S0', status }], open)).toEqual({ overall, headline });
  });
});
