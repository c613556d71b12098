import { recordAudit } from '@/server/audit/record-audit';
import type { Tx } from '@/server/platform/db';
import { notify } from '@/server/platform/listen';
import { lockChannel, lockIncidents } from '@/server/platform/locks';
import type { TeamContext } from '@/server/trpc/contexts';
import { scheduleRetries } from '../deliveries/queue-deliveries';
import { deliveryNotFound, findChannel, readDelivery } from '../queries';
import type { Delivery, DeliveryId, ReplayDeliveriesInput } from '../schema';
import { makePending, orderAgain } from './replay-queries';

/** The most deliveries that one call replays, the oldest first. The caller repeats it for the rest. */
export const MOST_REPLAYED = 500;

interface Chosen {
  id: string;
  incidentId: string | null;
}

function nameOf({ actor, user }: TeamContext): string {
  return actor.kind === 'key' ? `API key ${actor.keyPrefix}` : (user.name ?? user.email);
}

/** Replays these deliveries of a channel. @returns the IDs of those that were made pending */
async function replay(tx: Tx, ctx: TeamContext, channelId: string, chosen: Chosen[]): Promise<string[]> {
  const { id: teamId } = ctx.team;
  const incidentIds = [...new Set(chosen.flatMap(({ incidentId }) => incidentId ?? []))];
  await lockIncidents(tx, teamId, incidentIds);
  await lockChannel(tx, teamId, channelId);
  const { name } = await findChannel(tx, teamId, channelId);
  const ids = chosen.map(({ id }) => id);
  const replayed = await makePending(tx, { channelId, ids, replayedBy: nameOf(ctx) });
  if (replayed.length === 0) return [];
  await orderAgain(tx, channelId, incidentIds);
  await scheduleRetries(tx, replayed);
  await recordAudit(tx, ctx, {
    teamId,
    action: 'channel.replay',
    target: { type: 'channel', id: channelId, name },
    after: replayed.length === 1 ? { deliveryId: replayed[0]?.id ?? null } : { deliveries: replayed.length },
  });
  await notify(tx, { team: teamId, kind: 'channel', ids: [channelId] });
  return replayed.map(({ id }) => id);
}

/**
 * Sends a delivered or failed message again, under the same webhook-id, with retries as if it were new. A pending one, and one that was replayed a
 * moment ago, stays as it is: a double click sends once.
 * @throws AppError NOT_FOUND
 */
export async function replayDelivery({ ctx, input }: { ctx: TeamContext; input: DeliveryId }): Promise<Delivery> {
  const { id: channelId, deliveryId: id } = input;
  await ctx.db.$transaction(async (tx) => {
    await findChannel(tx, ctx.team.id, channelId);
    const where = { id, channelId, event: { not: 'channel.test' } };
    const chosen = await tx.delivery.findFirst({ where, select: { id: true, incidentId: true } });
    if (!chosen) throw deliveryNotFound();
    await replay(tx, ctx, channelId, [chosen]);
  });
  return readDelivery(ctx.db, ctx.team.id, id);
}

/**
 * Sends the failed messages of a span of time again, oldest first, 500 at most.
 * @returns how many were made pending, and how many failed ones of the span are left
 * @throws AppError NOT_FOUND
 */
export async function replayDeliveries({
  ctx,
  input: { id: channelId, from, to },
}: {
  ctx: TeamContext;
  input: ReplayDeliveriesInput;
}): Promise<{ replayed: number; left: number }> {
  return ctx.db.$transaction(async (tx) => {
    await findChannel(tx, ctx.team.id, channelId);
    const where = {
      ...{ channelId, status: 'failed' as const, event: { not: 'channel.test' } },
      createdAt: { gte: new Date(from), lt: new Date(to) },
    };
    const chosen = await tx.delivery.findMany({
      where,
      select: { id: true, incidentId: true },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      take: MOST_REPLAYED,
    });
    const { length } = await replay(tx, ctx, channelId, chosen);
    return { replayed: length, left: await tx.delivery.count({ where }) };
  });
}
