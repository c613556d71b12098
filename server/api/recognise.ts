import { type Actor, resolveActor } from '@/server/auth/resolve-actor';
import type { Access } from './access';
import type { Context } from './context';
import { limitRate } from './rate-limit';

/**
 * Who is calling: looked up and counted once per request, against the limit of their credential, else of their address.
 * Pages are not limited.
 *
 * @throws AppError UNAUTHENTICATED for a credential that does not hold, RATE_LIMITED
 */
export async function recognise(ctx: Context, access: Access): Promise<Actor> {
  const count = async (actor: Actor) => {
    if (ctx.door === 'dashboard' || ctx.isCounted) return;
    ctx.isCounted = true;
    await limitRate(actor, ctx.address, ctx.resHeaders);
  };
  let actor: Actor = { kind: 'anonymous' };
  try {
    if (access.kind !== 'public') {
      ctx.resolving ??= resolveActor(ctx.credential);
      actor = await ctx.resolving;
    }
  } catch (error) {
    await count(actor);
    throw error;
  }
  await count(actor);
  return actor;
}
