import { describe, expect, it } from 'vitest';
import type { MonitorStatus } from '@/server/monitor-types/schema';
import { overallOf } from '@/server/status-pages/overall';

describe('overallOf', () => {
  it.each<[MonitorStatus[], string, string]>([
    [[], 'unknown', 'No services yet'],
    [['pending'], 'unknown', 'No data yet'],
    [['paused', 'paused'], 'unknown', 'Monitoring is paused'],
    [['paused', 'pending'], 'unknown', 'No data yet'],
    [['up'], 'operational', 'All systems operational'],
    [['up', 'paused', 'pending'], 'operational', 'All systems operational'],
    [['up', 'maintenance'], 'maintenance', 'S1 is under maintenance'],
    [['up', 'unknown'], 'unknown', 'The status of S1 is unknown'],
    [['unknown', 'unknown', 'up'], 'unknown', 'The status of 2 of 3 services is unknown'],
    [['maintenance', 'unknown'], 'unknown', 'The status of S1 is unknown'],
    [['up', 'degraded', 'unknown'], 'degraded', 'S1 is degraded'],
    [['up', 'degraded', 'down'], 'down', 'S2 is down, S1 is degraded'],
    [['down', 'degraded', 'degraded'], 'down', 'S0 is down, 2 are degraded'],
    [['down', 'down', 'up', 'paused'], 'down', '2 of 4 services are down'],
    [['unknown', 'unknown', 'up', 'pending'], 'unknown', 'The status of 2 of 4 services is unknown'],
    [['down', 'down'], 'down', 'All services are down'],
    [['down'], 'down', 'S0 is down'],
  ])('maps %j to %s with the headline "%s"', (statuses, overall, headline) => {
    const components = statuses.map((status, index) => ({ name: `S${index}`, status }));
    expect(overallOf(components)).toEqual({ overall, headline });
  });

  it.each<[MonitorStatus, number, string, string]>([
    ['up', 1, 'degraded', 'Investigating an incident'],
    ['up', 3, 'degraded', 'Investigating 3 incidents'],
    ['down', 1, 'down', 'S0 is down'],
  ])('maps %s with %d open incidents to %s with the headline "%s"', (status, open, overall, headline) => {
    expect(overallOf([{ name: 'S0', status }], open)).toEqual({ overall, headline });
  });
});
