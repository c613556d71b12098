import type { MonitorStatus } from '@/server/monitor-types/schema';
import type { Component, Overall } from './schema';

/** The statuses, worst first. A page is down if any component is down. */
const verdicts: [MonitorStatus, Overall][] = [
  ['down', 'down'],
  ['degraded', 'degraded'],
  ['unknown', 'unknown'],
  ['maintenance', 'maintenance'],
  ['up', 'operational'],
];

const ends: Record<Exclude<Overall, 'operational' | 'unknown'>, string> = {
  down: 'down',
  degraded: 'degraded',
  maintenance: 'under maintenance',
};

/** Returns the subject of the headline, such as "Checkout is" or "3 of 8 services are". `total` is the number of all components of the page. */
function subject(names: string[], total: number): string {
  if (names.length === 1) return `${names[0]} is`;
  return names.length === total ? 'All services are' : `${names.length} of ${total} services are`;
}

/**
 * Returns the overall status and headline of a page. Ignores paused and pending components if others have data. An open incident makes the page at
 * least degraded, even if all checks pass.
 */
export function overallOf(
  components: Pick<Component, 'name' | 'status'>[],
  openIncidents = 0,
): { overall: Overall; headline: string } {
  if (components.length === 0) return { overall: 'unknown', headline: 'No services yet' };
  const active = components.filter(({ status }) => status !== 'paused' && status !== 'pending');
  if (active.length === 0) {
    const isPaused = components.every(({ status }) => status === 'paused');
    return { overall: 'unknown', headline: isPaused ? 'Monitoring is paused' : 'No data yet' };
  }
  const [worst, overall] = verdicts.find(([status]) => active.some((each) => each.status === status)) ?? [
    'up',
    'unknown',
  ];
  const names = active.filter(({ status }) => status === worst).map(({ name }) => name);
  if (overall === 'operational') {
    if (openIncidents === 0) return { overall, headline: 'All systems operational' };
    return {
      overall: 'degraded',
      headline: `Investigating ${openIncidents === 1 ? 'an incident' : `${openIncidents} incidents`}`,
    };
  }
  if (overall === 'unknown') {
    const what = names.length === 1 ? names[0] : `${names.length} of ${components.length} services`;
    return { overall, headline: `The status of ${what} is unknown` };
  }
  const slow = overall === 'down' ? active.filter(({ status }) => status === 'degraded').map(({ name }) => name) : [];
  const rest = slow.length === 1 ? `, ${slow[0]} is degraded` : slow.length > 1 ? `, ${slow.length} are degraded` : '';
  return { overall, headline: `${subject(names, components.length)} ${ends[overall]}${rest}` };
}
