import type { CallbackAnswer } from '@/server/notifications/providers/callback';
import type { ChannelCallback } from '@/server/notifications/read-callback';
import type { Tx } from '@/server/platform/db';
import { plainText } from '@/server/platform/plain-text';
import type { VerbContext } from '@/server/trpc/contexts';
import { acknowledgeAs } from './acknowledge-incident';

const MOST_NAME = 100;
const IncidentId = /^\w{1,64}$/;

/** Whether the app showed the incident: in the channel of the callback, or in another channel of the team that it signs for. */
async function wasTold(
  tx: Tx,
  incidentId: string,
  { channelId, teamId, type, isOf }: ChannelCallback,
): Promise<boolean> {
  const told = await tx.channel.findMany({
    where: { teamId, type, deliveries: { some: { incidentId } } },
    select: { id: true, config: true },
  });
  return told.some(({ id, config }) => id === channelId || isOf(config));
}

async function acknowledge(tx: Tx, ctx: VerbContext, callback: ChannelCallback): Promise<string | null> {
  if (!callback.press) return null;
  const { incidentId: id, person } = callback.press;
  const { teamId } = callback;
  if (!IncidentId.test(id) || !(await wasTold(tx, id, callback))) return 'This incident no longer exists.';
  const { status } = await acknowledgeAs(tx, ctx, { id, teamId, authorName: plainText(person, MOST_NAME) });
  if (status === 'resolved') return 'This incident is already resolved.';
  const last = await tx.incidentUpdate.findFirst({
    where: { incidentId: id, kind: 'acknowledged' },
    orderBy: [{ at: 'desc' }, { id: 'desc' }],
    select: { authorName: true },
  });
  return `Acknowledged by ${last?.authorName ?? 'someone'}.`;
}

/** Acknowledges the incident of a pressed button. The provider's signature is the credential. Idempotent; a resolved incident is left as it is. */
export async function acknowledgeByCallback({
  ctx,
  input,
}: {
  ctx: VerbContext;
  input: ChannelCallback;
}): Promise<CallbackAnswer> {
  return input.answer(await ctx.db.$transaction((tx) => acknowledge(tx, ctx, input)));
}
