import { countChannels } from '@/server/notifications/count-channels';
import type { Tx } from '@/server/platform/db';
import type { Decided } from './write-results';

/**
 * The number of deliveries that one transaction may write, about half a second's work. Other results wait for that transaction, also those of
 * other teams. 500 results of a team with three channels fit in.
 */
const MOST_DELIVERIES = 1_500;

const countChanges = ({ incidents, certificate }: Decided) => incidents.length + (certificate ? 1 : 0);

/**
 * Splits decisions into those that one transaction writes and those that are left for a later one, because they open or end more incidents than
 * the team's channels allow. Decisions without an incident are never left, and neither is the first one.
 */
export async function limitFanOut(tx: Tx, decided: Decided[]): Promise<{ now: Decided[]; later: Decided[] }> {
  const changing = decided.filter((each) => countChanges(each) > 0);
  if (changing.length < 2) return { now: decided, later: [] };
  const teams = changing.map(({ result }) => result.plan.monitor.teamId);
  const channels = await countChannels(tx, teams);
  let room = MOST_DELIVERIES;
  const later = new Set<Decided>();
  for (const [index, each] of changing.entries()) {
    // Without channels, an incident still has its own rows.
    const deliveries = countChanges(each) * Math.max(1, channels.get(teams[index] ?? '') ?? 0);
    if (deliveries > room && index > 0) later.add(each);
    else room -= deliveries;
  }
  return { now: decided.filter((each) => !later.has(each)), later: [...later] };
}
