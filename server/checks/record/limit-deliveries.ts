import { countChannels, MOST_DELIVERIES } from '@/server/notifications/count-channels';
import type { Tx } from '@/server/platform/db';
import type { Decided } from './write-results';

const countChanges = ({ incidents, certificate }: Decided) => incidents.length + (certificate ? 1 : 0);

/**
 * Limits the number of deliveries that one transaction inserts. Returns as `later` the decisions whose incidents exceed the limit. Decisions without
 * an incident, and the first one with an incident, are always in `now`.
 */
export async function limitDeliveries(tx: Tx, decided: Decided[]): Promise<{ now: Decided[]; later: Decided[] }> {
  const changing = decided.filter((each) => countChanges(each) > 0);
  if (changing.length < 2) return { now: decided, later: [] };
  const teams = changing.map(({ result }) => result.plan.monitor.teamId);
  const channels = await countChannels(tx, teams);
  let room = MOST_DELIVERIES;
  const later = new Set<Decided>();
  for (const [index, each] of changing.entries()) {
    // An incident without channels still writes rows of its own.
    const deliveries = countChanges(each) * Math.max(1, channels.get(teams[index] ?? '') ?? 0);
    if (deliveries > room && index > 0) later.add(each);
    else room -= deliveries;
  }
  return { now: decided.filter((each) => !later.has(each)), later: [...later] };
}
