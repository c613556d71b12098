import { recordAudit } from '@/server/audit/record-audit';
import { parseCursor } from '@/server/platform/cursor';
import type { Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import type { Prisma } from '@/server/platform/generated/prisma/client';
import { notify } from '@/server/platform/listen';
import { lockChannel } from '@/server/platform/locks';
import type { Call, TeamContext } from '@/server/trpc/contexts';
import { queueChannels } from '../deliveries/queue-queries';
import { deliveryNotFound, findChannel, readDelivery } from '../queries';
import type { Delivery, DeliveryId, ReplayDeliveriesInput, ReplayedDeliveries } from '../schema';
import { MOST_ATTEMPTS, makePending } from './replay-queries';

/** The maximum number of deliveries that one call replays, oldest first. The caller repeats the call until none is left. */
export const MOST_REPLAYED = 500;
/** The maximum number of remaining messages that are counted: the channel is locked meanwhile. */
const MOST_COUNTED = 10_000;

function nameOf({ actor, user }: TeamContext): string {
  return actor.kind === 'key' ? `API key ${actor.keyPrefix}` : (user.name ?? user.email);
}

/**
 * Makes these deliveries of a channel pending again, queues the channel and writes the audit log. Locks the channel.
 * @returns the IDs of the deliveries that were made pending
 */
async function replay(tx: Tx, ctx: TeamContext, channelId: string, chosen: { id: string }[]): Promise<string[]> {
  const { id: teamId } = ctx.team;
  await lockChannel(tx, teamId, channelId);
  const { name } = await findChannel(tx, teamId, channelId);
  const ids = chosen.map(({ id }) => id);
  const replayed = await makePending(tx, { channelId, ids, replayedBy: nameOf(ctx) });
  if (replayed.length === 0) return [];
  await queueChannels(tx, [channelId], 'now');
  await recordAudit(tx, ctx, {
    teamId,
    action: 'channel.replay',
    target: { type: 'channel', id: channelId, name },
    after: replayed.length === 1 ? { deliveryId: replayed[0] ?? null } : { deliveries: replayed.length },
  });
  await notify(tx, { team: teamId, kind: 'channel', ids: [channelId] });
  return replayed;
}

/**
 * Sends a delivered or failed message again, under the same webhook-id, with retries like a new one. A pending or recently replayed one does not
 * change, so that a double click sends once.
 * @throws AppError NOT_FOUND, VALIDATION_ERROR (it has too many attempts)
 */
export async function replayDelivery({ ctx, input }: Call<DeliveryId>): Promise<Delivery> {
  const { id: channelId, deliveryId: id } = input;
  await ctx.db.$transaction(async (tx) => {
    await findChannel(tx, ctx.team.id, channelId);
    const where = { id, channelId, event: { not: 'channel.test' } };
    const chosen = await tx.delivery.findFirst({ where, select: { id: true, _count: { select: { attempts: true } } } });
    if (!chosen) throw deliveryNotFound();
    if (chosen._count.attempts >= MOST_ATTEMPTS) {
      throw new AppError(
        'VALIDATION_ERROR',
        `This message has ${MOST_ATTEMPTS} attempts and cannot be replayed again.`,
      );
    }
    await replay(tx, ctx, channelId, [chosen]);
  });
  return readDelivery(ctx.db, ctx.team.id, id);
}

/** Filters deliveries that were created after this one. The first condition limits the index scan. */
const after = ({ at: createdAt, id }: { at: Date; id: string }): Prisma.DeliveryWhereInput => ({
  createdAt: { gte: createdAt },
  OR: [{ createdAt: { gt: createdAt } }, { id: { gt: id } }],
});

/**
 * Replays the failed messages of a time range, and optionally the delivered ones: oldest first, at most 500. A further call with `nextCursor`
 * continues after them, so that it does not replay messages again.
 * @returns the number of replayed messages, and the number after them in the range, counted up to 10,000
 * @throws AppError NOT_FOUND, VALIDATION_ERROR (cursor)
 */
export async function replayDeliveries({
  ctx,
  input: { id: channelId, from, to, includeDelivered, cursor },
}: Call<ReplayDeliveriesInput>): Promise<ReplayedDeliveries> {
  const start = cursor === undefined ? null : parseCursor(cursor);
  return ctx.db.$transaction(async (tx) => {
    await findChannel(tx, ctx.team.id, channelId);
    const where: Prisma.DeliveryWhereInput = {
      channelId,
      event: { not: 'channel.test' },
      status: { in: includeDelivered ? ['failed', 'delivered'] : ['failed'] },
      createdAt: { gte: new Date(from), lt: new Date(to) },
    };
    const chosen = await tx.delivery.findMany({
      where: { AND: [where, ...(start ? [after(start)] : [])] },
      select: { id: true, createdAt: true },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      take: MOST_REPLAYED,
    });
    const { length: replayed } = await replay(tx, ctx, channelId, chosen);
    const last = chosen.at(-1);
    const left = last
      ? await tx.delivery.count({
          where: { AND: [where, after({ at: last.createdAt, id: last.id })] },
          take: MOST_COUNTED,
        })
      : 0;
    return { replayed, left, nextCursor: last && left > 0 ? `${last.createdAt.toISOString()}_${last.id}` : null };
  });
}
