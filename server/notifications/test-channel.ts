import type { TeamContext } from '@/server/auth/contexts';
import { newId } from '@/server/platform/ids';
import { attemptDeliveries } from './attempt-deliveries';
import { scheduleDelivery, scheduleRetries } from './deliver-message';
import type { EventPayload } from './event';
import { findChannel, readDelivery } from './queries';
import type { Delivery } from './schema';

/** Longer than any attempt: by then the request has sent the message, or its process is gone. */
const FALLBACK_AFTER_MS = 60_000;

/**
 * Sends a test message now, the way alerts are sent, and answers with how that went. It is tried once.
 * @throws AppError NOT_FOUND
 */
export async function testChannel({ ctx, input }: { ctx: TeamContext; input: { id: string } }): Promise<Delivery> {
  const { id: teamId } = ctx.team;
  const id = newId();
  const now = new Date();
  await ctx.db.$transaction(async (tx) => {
    // Held, so that a channel deleted meanwhile is not found here instead of breaking a foreign key.
    await tx.$queryRaw`select 1 from channels where id = ${input.id} and team_id = ${teamId} for key share`;
    const channel = await findChannel(tx, teamId, input.id);
    const { type, name } = channel;
    const payload: EventPayload = {
      type: 'channel.test',
      timestamp: now.toISOString(),
      data: { incident: null, monitor: null, channel: { id: channel.id, type, name } },
    };
    await tx.delivery.create({
      data: {
        id,
        teamId,
        channelId: channel.id,
        event: payload.type,
        eventKey: `channel.test:${id}`,
        payload: payload as object,
        nextAttemptAt: new Date(0),
      },
    });
    await scheduleDelivery(tx, id, new Date(now.getTime() + FALLBACK_AFTER_MS));
  });
  await attemptDeliveries([id], scheduleRetries);
  return readDelivery(ctx.db, teamId, id);
}
