import type { Tx } from '@/server/platform/db';
import { type Forwarded, holdFallback, insertForwarded, readChannelIds } from './forward-queries';

/**
 * Copies the undelivered messages of failing channels to their fallbacks, and on to further fallbacks if those fail too. Terminates because a
 * channel gets each event only once. The caller has locked the team's forwarding. The originals are still retried: the first accepted one ends the
 * failing period.
 * @returns the channels that got copies, which the caller queues
 */
export async function forwardDeliveries(tx: Tx, forwarded: Forwarded): Promise<string[]> {
  if ('ids' in forwarded && forwarded.ids.length === 0) return [];
  const channelIds = 'ids' in forwarded ? await readChannelIds(tx, forwarded.ids) : [forwarded.channelId];
  const reached = new Set<string>();
  for (const channelId of channelIds) {
    const fallback = await holdFallback(tx, channelId);
    if (fallback === null) continue;
    const ids = 'ids' in forwarded ? forwarded.ids : null;
    const copies = await insertForwarded(tx, { channelId, fallbackId: fallback.id, ids });
    if (copies.length > 0) reached.add(fallback.id);
    const further = copies.flatMap(({ id, isFailing }) => (isFailing ? [id] : []));
    for (const each of await forwardDeliveries(tx, { ids: further })) reached.add(each);
  }
  return [...reached];
}
