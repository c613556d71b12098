import type { Tx } from '@/server/platform/db';
import type { Channel as ChannelRow } from '@/server/platform/generated/prisma/client';
import type { TeamContext } from '@/server/trpc/contexts';
import { toChannel } from '../queries';
import { ContactMethod } from '../schema';

const inOrder = [{ position: 'asc' }, { id: 'asc' }] as const;

async function toContactMethod(db: Tx, ctx: TeamContext, row: ChannelRow): Promise<ContactMethod> {
  return ContactMethod.parse({ ...(await toChannel(db, ctx, row)), delayMinutes: row.delayMinutes });
}

/** Returns the rows of the caller's contact methods, in their order. */
export function findOwn(db: Tx, ctx: TeamContext): Promise<ChannelRow[]> {
  return db.channel.findMany({ where: { teamId: ctx.team.id, ownerId: ctx.user.id }, orderBy: [...inOrder] });
}

/** Returns the caller's contact methods, in their order. */
export async function listContactMethods(db: Tx, ctx: TeamContext): Promise<ContactMethod[]> {
  const rows = await findOwn(db, ctx);
  return Promise.all(rows.map((row) => toContactMethod(db, ctx, row)));
}
