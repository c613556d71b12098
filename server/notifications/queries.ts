import { seesSecrets } from '@/server/auth/sees-secrets';
import { cutPage } from '@/server/lists/cut-page';
import type { ExternalIdPage } from '@/server/lists/schema';
import { parseCursor } from '@/server/platform/cursor';
import type { Db, Tx } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';
import { type Channel as ChannelRow, Prisma } from '@/server/platform/generated/prisma/client';
import type { Call, OnOneObject, TeamContext } from '@/server/trpc/contexts';
import { editableConfig, maskConfig } from './config-secrets';
import type { Recipient } from './confirmations/confirmation-link';
import { readConfirmations, recipientIn } from './confirmations/recipient-queries';
import { channelStateOf, progressOf } from './delivery-progress';
import { EventPayload } from './messages/event';
import { channelDefinitionOf } from './providers/definitions';
import { Channel, Delivery, DeliveryDetail, type DeliveryId, type ListDeliveriesInput } from './schema';

const deliveryInclude = {
  attempts: { orderBy: [{ at: 'asc' }, { id: 'asc' }] },
  forwardedFrom: { select: { id: true, channelId: true, channel: { select: { name: true } } } },
} satisfies Prisma.DeliveryInclude;
type DeliveryRow = Prisma.DeliveryGetPayload<{ include: typeof deliveryInclude }>;

export function channelNotFound(): AppError {
  return new AppError('NOT_FOUND', 'There is no such notification channel.');
}

export function contactMethodNotFound(): AppError {
  return new AppError('NOT_FOUND', 'You have no such contact method.');
}

export function deliveryNotFound(): AppError {
  return new AppError('NOT_FOUND', 'There is no such delivery.');
}

type Reader = Pick<TeamContext, 'actor'>;

const isAfterNow = (time: Date | null): time is Date => time !== null && time.getTime() > Date.now();

/** Maps rows to the API's form: secrets masked, except a URL for editors; times as text. */
async function toChannels(db: Db, reader: Reader, rows: ChannelRow[]): Promise<Channel[]> {
  const confirmations = await readConfirmations(
    db,
    rows.flatMap(({ id, type }) => (channelDefinitionOf(type).recipient ? [id] : [])),
  );
  const shown = seesSecrets(reader, 'channels') ? editableConfig : maskConfig;
  return rows.map((row) => {
    const { id, type, config } = row;
    return Channel.parse({
      ...row,
      config: shown(type, config),
      confirmation: confirmations.get(id),
      callbackUrl: `${env.appUrl}/api/callbacks/${type}/${id}`,
      state: channelStateOf(row),
      failingSince: row.failingSince?.toISOString() ?? null,
      lastDeliveredAt: row.deliveredAt?.toISOString() ?? null,
      previousSecretUntil: isAfterNow(row.previousSecretUntil) ? row.previousSecretUntil.toISOString() : null,
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    });
  });
}

/** Maps a row to the API's form; see `toChannels`. */
export async function toChannel(db: Db, reader: Reader, row: ChannelRow): Promise<Channel> {
  const [channel] = await toChannels(db, reader, [row]);
  if (!channel) throw new Error('A channel was lost on its way.');
  return channel;
}

/** Returns a team's email channels with an address. */
function findEmailChannels(db: Db, { teamId, address }: Recipient): Promise<{ id: string; name: string }[]> {
  // Raw: compares a field of a JSON column in lower case.
  return db.$queryRaw`
    select channel.id, channel.name from channels channel
    where channel.team_id = ${teamId} and ${recipientIn(Prisma.sql`channel`)} = ${address}
    order by channel.id`;
}

/** What a team sends to an address: alerts of channels, and the weekly summary and monthly report of a member. */
export interface KnownRecipient {
  teamName: string;
  channels: { id: string; name: string }[];
  /** The member who gets the team's weekly summary or monthly report there. */
  memberId: string | null;
  /** Whether that member gets the weekly summary, and the monthly report. */
  hasSummary: boolean;
  hasReport: boolean;
  isConfirmed: boolean;
}

/** Returns what a team sends to an address, or will send once the address is confirmed; null if nothing. */
export async function findRecipient(db: Db, recipient: Recipient): Promise<KnownRecipient | null> {
  const { teamId, address } = recipient;
  const channels = await findEmailChannels(db, recipient);
  const team = await db.team.findUnique({
    where: { id: teamId },
    select: {
      name: true,
      confirmedRecipients: { where: { address } },
      memberships: {
        where: {
          OR: [{ weeklySummarySince: { not: null } }, { monthlyReportSince: { not: null } }],
          user: { email: address },
        },
        select: { userId: true, weeklySummarySince: true, monthlyReportSince: true },
      },
    },
  });
  const member = team?.memberships[0];
  const memberId = member?.userId ?? null;
  const hasSummary = member !== undefined && member.weeklySummarySince !== null;
  const hasReport = member !== undefined && member.monthlyReportSince !== null;
  if (!team || (channels.length === 0 && memberId === null)) return null;
  const isConfirmed = team.confirmedRecipients.length > 0;
  return { teamName: team.name, channels, memberId, hasSummary, hasReport, isConfirmed };
}

export function noConfirmation(): AppError {
  return new AppError('NOT_FOUND', 'The team sends nothing to this address.');
}

function toDelivery(row: DeliveryRow): Delivery {
  const attempts = row.attempts.map(({ at, statusCode, error, durationMs }) => ({
    at: at.toISOString(),
    statusCode,
    error,
    durationMs,
  }));
  const { id, channelId, incidentId, event, status, hold } = row;
  const from = row.forwardedFrom;
  const forwardedFrom = from && { id: from.id, channelId: from.channelId, channelName: from.channel.name };
  const monitorName = EventPayload.safeParse(row.payload).data?.data.monitor?.name ?? null;
  const times = {
    createdAt: row.createdAt.toISOString(),
    ...progressOf(row),
    replayedAt: row.replayedAt?.toISOString() ?? null,
  };
  const known = {
    id,
    webhookId: id,
    channelId,
    incidentId,
    forwardedFrom,
    monitorName,
    event,
    status,
    hold,
    attempts,
    replayedBy: row.replayedBy,
  };
  return Delivery.parse({ ...known, ...times });
}

/**
 * Returns a channel of the team as stored, or with `ownerId` a contact method of that member.
 * @throws AppError NOT_FOUND
 */
export async function findChannel(
  db: Db,
  teamId: string,
  id: string,
  ownerId: string | null = null,
): Promise<ChannelRow> {
  const row = await db.channel.findFirst({ where: { id, teamId, ownerId } });
  if (!row) throw ownerId === null ? channelNotFound() : contactMethodNotFound();
  return row;
}

/**
 * Returns a channel of the team.
 * @throws AppError NOT_FOUND
 */
export async function readChannel({ ctx, input: { id } }: OnOneObject): Promise<Channel> {
  return toChannel(ctx.db, ctx, await findChannel(ctx.db, ctx.team.id, id));
}

/** Returns a page of the team's channels, newest first. The cursor is the last ID of the previous page. */
export async function listChannels({
  ctx,
  input: { limit, cursor, externalId },
}: Call<ExternalIdPage>): Promise<{ channels: Channel[]; nextCursor: string | null }> {
  const where = {
    teamId: ctx.team.id,
    ownerId: null,
    ...(cursor !== undefined && { id: { lt: cursor } }),
    ...(externalId !== undefined && { externalId }),
  };
  const rows = await ctx.db.channel.findMany({ where, orderBy: { id: 'desc' }, take: limit + 1 });
  const { page, nextCursor } = cutPage(rows, limit);
  return { channels: await toChannels(ctx.db, ctx, page), nextCursor };
}

/**
 * Returns a delivery of the team with its attempts, oldest first.
 * @throws AppError NOT_FOUND
 */
export async function readDelivery(db: Db, teamId: string, id: string): Promise<Delivery> {
  const row = await db.delivery.findFirst({ where: { id, teamId, channel: { teamId } }, include: deliveryInclude });
  if (!row) throw deliveryNotFound();
  return toDelivery(row);
}

/**
 * Returns a delivery of a channel with the requests and responses of its attempts.
 * @throws AppError NOT_FOUND
 */
export async function readDeliveryDetail({
  ctx,
  input: { id: channelId, deliveryId: id },
}: Call<DeliveryId>): Promise<DeliveryDetail> {
  await findChannel(ctx.db, ctx.team.id, channelId);
  const row = await ctx.db.delivery.findFirst({ where: { id, channelId }, include: deliveryInclude });
  if (!row) throw deliveryNotFound();
  const ids = row.attempts.flatMap(({ exchangeId }) => exchangeId ?? []);
  const stored = await ctx.db.deliveryExchange.findMany({ where: { id: { in: ids } } });
  const exchanges = new Map(stored.map((each) => [each.id, each]));
  const delivery = toDelivery(row);
  const attempts = delivery.attempts.map((attempt, index) => {
    const exchange = exchanges.get(row.attempts[index]?.exchangeId ?? '');
    return { ...attempt, exchange: exchange ? { request: exchange.request, response: exchange.response } : null };
  });
  return DeliveryDetail.parse({ ...delivery, attempts });
}

/**
 * Returns a page of a channel's deliveries, newest first. The cursor is "<createdAt>_<id>" of the last one of the previous page.
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

/** Matches the deliveries after a given one in the order of the list. The first condition limits the index scan. */
function after(cursor: string | undefined): Prisma.DeliveryWhereInput {
  if (cursor === undefined) return {};
  const { at: createdAt, id } = parseCursor(cursor);
  return { createdAt: { lte: createdAt }, OR: [{ createdAt: { lt: createdAt } }, { id: { lt: id } }] };
}

/** Sets the positions of contact methods to their index in `ids`. The caller has locked the team. */
export async function setPositions(tx: Tx, ids: string[]): Promise<void> {
  // Raw: writes a different value to each row.
  await tx.$executeRaw`
    update channels set position = place.number - 1, updated_at = now()
    from unnest(${ids}::text[]) with ordinality as place (id, number) where channels.id = place.id`;
}
