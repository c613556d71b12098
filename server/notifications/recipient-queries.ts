import type { Db } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';
import type { Confirmation } from './schema';

/**
 * Whether the address of an email channel gets messages, as an SQL expression: it confirmed, it belongs to a member of the
 * team, or neither yet. Null for channels of other types. `channel` is the name of a row of `channels`.
 */
export function confirmationOf(channel: Prisma.Sql): Prisma.Sql {
  const address = Prisma.sql`lower(${channel}.config->>'to')`;
  return Prisma.sql`
    case when ${channel}.type <> 'email' then null
      when exists (
        select 1 from confirmed_recipients r where r.team_id = ${channel}.team_id and r.address = ${address}
      ) then 'confirmed'
      when exists (
        select 1 from users u join memberships m on m.user_id = u.id
        where u.email = ${address} and m.team_id = ${channel}.team_id
      ) then 'member'
      else 'pending' end`;
}

/** The states of the email channels among these, by the channel's id. */
export async function readConfirmations(db: Db, channelIds: string[]): Promise<Map<string, Confirmation>> {
  if (channelIds.length === 0) return new Map();
  // Raw: one expression decides in claims and here.
  const rows = await db.$queryRaw<{ id: string; confirmation: Confirmation }[]>`
    select channel.id, ${confirmationOf(Prisma.sql`channel`)} as "confirmation"
    from channels channel where channel.id = any(${channelIds}::text[]) and channel.type = 'email'`;
  return new Map(rows.map(({ id, confirmation }) => [id, confirmation]));
}
