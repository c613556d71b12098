import type { MonitorStatus } from '@/server/monitors/schema';
import type { Component, Overall } from './schema';

/** What decides, worst first. A page is down when anything on it is. */
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

/** Who it is about: "Checkout is", "3 of 8 services are", "Everything is". `total` is all that the page lists. */
function subject(names: string[], total: number): string {
  if (names.length === 1) return `${names[0]} is`;
  return names.length === total ? 'Everything is' : `${names.length} of ${total} services are`;
}

/**
 * The page in one word and one sentence. Paused and pending components have no say while another has. While an incident
 * is open, not everything works, whatever the checks say: somebody opened it.
 */
export function overallOf(
  components: Pick<Component, 'name' | 'status'>[],
  openIncidents = 0,
): { overall: Overall; headline: string } {
  if (components.length === 0) return { overall: 'unknown', headline: 'Nothing is watched here yet' };
  const told = components.filter(({ status }) => status !== 'paused' && status !== 'pending');
  if (told.length === 0) {
    const isPaused = components.every(({ status }) => status === 'paused');
    return { overall: 'unknown', headline: isPaused ? 'Nothing is watched just now' : 'Nothing was checked yet' };
  }
  const [worst, overall] = verdicts.find(([status]) => told.some((each) => each.status === status)) ?? [
    'up',
    'unknown',
  ];
  const names = told.filter(({ status }) => status === worst).map(({ name }) => name);
  if (overall === 'operational') {
    if (openIncidents === 0) return { overall, headline: 'Everything works' };
    return {
      overall: 'degraded',
      headline: `We know of ${openIncidents === 1 ? 'a problem' : `${openIncidents} problems`}`,
    };
  }
  if (overall === 'unknown') {
    const what = names.length === 1 ? `${names[0]} is` : `${names.length} of ${components.length} services are`;
    return { overall, headline: `We cannot tell how ${what} just now` };
  }
  return { overall, headline: `${subject(names, components.length)} ${ends[overall]}` };
}
