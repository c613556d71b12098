import { NoInput, router, teamProcedure } from '@/server/trpc/procedures';
import { resolveActor } from '@/server/trpc/resolve-actor';
import { inShareOf } from '@/server/trpc/share';
import { liveEvents } from './live-events';

export const liveRouter = router({
  events: teamProcedure({ role: 'viewer', scope: 'read' })
    .input(NoInput)
    .subscription(({ ctx, signal }) =>
      liveEvents({ ctx, signal }, async () => {
        const call = { actor: ctx.actor, address: ctx.address, kind: 'subscription' as const };
        const actor = await inShareOf(call, () => resolveActor(ctx.credential, ctx.address)).catch(() => null);
        return actor !== null && actor.kind !== 'anonymous' && actor.team?.id === ctx.team.id;
      }),
    ),
});
