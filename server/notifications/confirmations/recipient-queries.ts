import type { Db } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';
import { channelDefinitionOf, channelTypes } from '../providers/definitions';
import type { Confirmation } from '../schema';

/**
 * SQL expression for the address that must confirm a channel's messages, in lower case; null for kinds without confirmation. `channel` is the name of
 * a row of `channels`.
 */
export function recipientIn(channel: Prisma.Sql): Prisma.Sql {
  const kinds = channelTypes.flatMap((type) => {
    const { recipient } = channelDefinitionOf(type);
    return recipient === undefined
      ? []
      : [Prisma.sql`when ${channel}.type = ${type}::channel_type then lower(${channel}.config->>${recipient}::text)`];
  });
  return Prisma.sql`case ${Prisma.join(kinds, ' ')} end`;
}

/** SQL expression for the confirmation state of an address in a team: confirmed, a member of the team, or pending. Null without an address. */
function stateOf(address: Prisma.Sql, teamId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    case when ${address} is null then null
      when exists (
        select 1 from confirmed_recipients r where r.team_id = ${teamId} and r.address = ${address}
      ) then 'confirmed'
      when exists (
        select 1 from users u join memberships m on m.user_id = u.id
        where u.email = ${address} and m.team_id = ${teamId}
      ) then 'member'
      else 'pending' end`;
}

/** SQL expression for the confirmation state of a channel's address. `channel` is the name of a row of `channels`. */
export function confirmationOf(channel: Prisma.Sql): Prisma.Sql {
  return stateOf(recipientIn(channel), Prisma.sql`${channel}.team_id`);
}

/**
 * Returns whether an address is confirmed in the team, belongs to a member, or is pending. No channel needs to have the address.
 * @param address in lower case
 */
export async function readConfirmation(db: Db, teamId: string, address: string): Promise<Confirmation> {
  // Raw: claims use the same expression.
  const [row] = await db.$queryRaw<{ confirmation: Confirmation }[]>`
    select ${stateOf(Prisma.sql`${address}::text`, Prisma.sql`${teamId}::text`)} as "confirmation"`;
  return row?.confirmation ?? 'pending';
}

/** Returns the confirmation states of these channels by ID. Leaves out channels that need no confirmation. */
export async function readConfirmations(db: Db, channelIds: string[]): Promise<Map<string, Confirmation>> {
  if (channelIds.length === 0) return new Map();
  // Raw: claims use the same expression.
  const rows = await db.$queryRaw<{ id: string; confirmation: Confirmation }[]>`
    select channel.id, ${confirmationOf(Prisma.sql`channel`)} as "confirmation"
    from channels channel where channel.id = any(${channelIds}::text[]) and ${recipientIn(Prisma.sql`channel`)} is not null`;
  return new Map(rows.map(({ id, confirmation }) => [id, confirmation]));
}

/**
 * Deletes at most `limit` confirmations that are older than `before`, of addresses that no channel and no member of their team has.
 * @returns the number of deleted confirmations
 */
export function deleteUnused(db: Db, before: Date, limit: number): Promise<number> {
  // Raw: claims use the same expression for a channel's address.
  return db.$executeRaw`
    delete from confirmed_recipients where (team_id, address) in (
      select r.team_id, r.address from confirmed_recipients r
      where r.confirmed_at < ${before}::timestamptz
        and not exists (
          select 1 from channels channel
          where channel.team_id = r.team_id and ${recipientIn(Prisma.sql`channel`)} = r.address
        )
        and not exists (
          select 1 from memberships m join users u on u.id = m.user_id
          where m.team_id = r.team_id and lower(u.email) = r.address
        )
      limit ${limit}::int
    )`;
}
