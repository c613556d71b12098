import type { IdPage } from '@/server/lists/schema';
import { parseCursor } from '@/server/platform/cursor';
import type { Db } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import type { Channel as ChannelRow, Prisma } from '@/server/platform/generated/prisma/client';
import { maskConfig } from './config-secrets';
import { Channel, Delivery, type ListDeliveriesInput } from './schema';

const deliveryInclude = {
  attempts: { orderBy: [{ at: 'asc' }, { id: 'asc' }] },
  after: { select: { status: true } },
} satisfies Prisma.DeliveryInclude;
type DeliveryRow = Prisma.DeliveryGetPayload<{ include: typeof deliveryInclude }>;

export function channelNotFound(): AppError {
  return new AppError('NOT_FOUND', 'There is no such notification channel.');
}

/** A row as it may leave: secrets masked, times as text. */
export function toChannel({ id, teamId, type, name, config, createdAt, updatedAt }: ChannelRow): Channel {
  const times = { createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
  return Channel.parse({ id, teamId, type, name, config: maskConfig(type, config), ...times });
}

function toDelivery(row: DeliveryRow): Delivery {
  const attempts = row.attempts.map(({ at, statusCode, error, durationMs }) => ({
    at: at.toISOString(),
    statusCode,
    error,
    durationMs,
  }));
  const { id, channelId, incidentId, event, status } = row;
  // A message that waits for another is tried when that one is done with; nobody knows when.
  const nextAttemptAt = row.after?.status === 'pending' ? null : row.nextAttemptAt;
  const times = { createdAt: row.createdAt.toISOString(), nextAttemptAt: nextAttemptAt?.toISOString() ?? null };
  return Delivery.parse({ id, webhookId: id, channelId, incidentId, event, status, attempts, ...times });
}

/** A channel of the team, as stored. @throws AppError NOT_FOUND */
export async function findChannel(db: Db, teamId: string, id: string): Promise<ChannelRow> {
  const row = await db.channel.findFirst({ where: { id, teamId } });
  if (!row) throw channelNotFound();
  return row;
}

/** A channel of the team. @throws AppError NOT_FOUND */
export async function readChannel(db: Db, teamId: string, id: string): Promise<Channel> {
  return toChannel(await findChannel(db, teamId, id));
}

/** A page of the team's channels, newest first. The cursor is the last id of the page before. */
export async function listChannels(
  db: Db,
  teamId: string,
  { limit, cursor }: IdPage,
): Promise<{ channels: Channel[]; nextCursor: string | null }> {
  const where = { teamId, ...(cursor !== undefined && { id: { lt: cursor } }) };
  const rows = await db.channel.findMany({ where, orderBy: { id: 'desc' }, take: limit + 1 });
  const page = rows.slice(0, limit);
  return { channels: page.map(toChannel), nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}

/** A delivery of the team with its attempts, oldest first. @throws AppError NOT_FOUND */
export async function readDelivery(db: Db, teamId: string, id: string): Promise<Delivery> {
  const row = await db.delivery.findFirst({ where: { id, teamId }, include: deliveryInclude });
  if (!row) throw new AppError('NOT_FOUND', 'There is no such delivery.');
  return toDelivery(row);
}

/**
 * A page of a channel's deliveries, newest first. The cursor is "<createdAt>_<id>" of the last one of the page before.
 * @throws AppError NOT_FOUND for the channel, VALIDATION_ERROR for a cursor of another list
 */
export async function listDeliveries(
  db: Db,
  teamId: string,
  { id, limit, cursor }: ListDeliveriesInput,
): Promise<{ deliveries: Delivery[]; nextCursor: string | null }> {
  await findChannel(db, teamId, id);
  const rows = await db.delivery.findMany({
    where: { teamId, channelId: id, ...after(cursor) },
    include: deliveryInclude,
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const nextCursor = last ? `${last.createdAt.toISOString()}_${last.id}` : null;
  return { deliveries: page.map(toDelivery), nextCursor };
}

function after(cursor: string | undefined): Prisma.DeliveryWhereInput {
  if (cursor === undefined) return {};
  const { at: createdAt, id } = parseCursor(cursor);
  return { OR: [{ createdAt: { lt: createdAt } }, { createdAt, id: { lt: id } }] };
}
