import { recordAudit } from '@/server/audit/record-audit';
import type { Me, UpdateProfileInput } from '@/server/auth/schema';
import type { Call, PersonContext } from '@/server/trpc/contexts';
import { getMe } from './get-me';

/** Updates the caller's name and time zone; omitted fields are not changed. */
export async function updateProfile({ ctx, input }: Call<UpdateProfileInput, PersonContext>): Promise<Me> {
  const { id, email } = ctx.user;
  const name = input.name === undefined ? undefined : input.name || null;
  const { timeZone } = input;
  const user = await ctx.db.$transaction(async (tx) => {
    const before = await tx.user.findUniqueOrThrow({ where: { id }, select: { name: true, timeZone: true } });
    const data = { ...(name !== undefined && { name }), ...(timeZone !== undefined && { timeZone }) };
    const after = await tx.user.update({ where: { id }, data, select: { name: true, timeZone: true } });
    const target = { type: 'user', id, name: email };
    await recordAudit(tx, ctx, { teamId: null, action: 'account.update', target, before, after });
    return after;
  });
  return getMe({ ctx: { ...ctx, user: { ...ctx.user, name: user.name } } });
}
