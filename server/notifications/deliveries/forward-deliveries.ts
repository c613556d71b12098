import type { Tx } from '@/server/platform/db';
import {
  type Forwarded,
  type ForwardRow,
  findForwardable,
  holdFallback,
  insertForwarded,
  readChannelIds,
} from './forward-queries';

export interface Created {
  id: string;
  channelId: string;
}

/**
 * Splits deliveries into rounds with at most one per incident, in order, because the insert of a delivery finds its predecessor only among earlier
 * rounds.
 */
function toRounds(rows: ForwardRow[]): ForwardRow[][] {
  const rounds: ForwardRow[][] = [];
  const counts = new Map<string, number>();
  for (const row of rows) {
    const key = row.incidentId ?? row.id;
    const round = counts.get(key) ?? 0;
    counts.set(key, round + 1);
    rounds[round] = [...(rounds[round] ?? []), row];
  }
  return rounds;
}

/**
 * Copies the undelivered messages of failing channels to their fallbacks, and on to further fallbacks if those fail too. Terminates because a
 * channel gets each event only once. The caller has locked the team's forwarding. The originals are still retried: the first accepted one ends the
 * failing period.
 * @returns the copies, which the caller queues
 */
export async function forwardDeliveries(tx: Tx, forwarded: Forwarded): Promise<Created[]> {
  if ('ids' in forwarded && forwarded.ids.length === 0) return [];
  const channelIds = 'ids' in forwarded ? await readChannelIds(tx, forwarded.ids) : [forwarded.channelId];
  const created: Created[] = [];
  for (const channelId of channelIds) {
    const fallbackId = await holdFallback(tx, channelId);
    if (fallbackId === null) continue;
    const ids = 'ids' in forwarded ? forwarded.ids : null;
    const further: string[] = [];
    for (const round of toRounds(await findForwardable(tx, { channelId, fallbackId, ids }))) {
      for (const { isFailing, ...copy } of await insertForwarded(tx, fallbackId, round)) {
        created.push(copy);
        if (isFailing) further.push(copy.id);
      }
    }
    created.push(...(await forwardDeliveries(tx, { ids: further })));
  }
  return created;
}
