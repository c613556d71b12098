import { NoInput, router, teamProcedure } from '@/server/trpc/procedures';
import { resolveActor } from '@/server/trpc/resolve-actor';
import { inShareOf } from '@/server/trpc/share';
import { liveEvents } from './live-events';

export const liveRouter = router({
  events: teamProcedure({ role: 'viewer', scope: 'read' })
    .input(NoInput)
    .subscription(({ ctx, signal }) =>
      liveEvents({ ctx, signal }, async () => {
        const actor = await inShareOf(ctx.actor, ctx.address, () => resolveActor(ctx.credential)).catch(() => null);
        return actor !== null && actor.kind !== 'anonymous' && actor.team?.id === ctx.team.id;
      }),
    ),
});
