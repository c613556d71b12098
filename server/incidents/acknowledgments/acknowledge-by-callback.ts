import { findAcknowledgeGroup } from '@/server/notifications/acknowledgments/acknowledge-group';
import {
  type AcknowledgeTarget,
  type Opening,
  readButton,
} from '@/server/notifications/acknowledgments/acknowledge-link';
import type { ChannelCallback } from '@/server/notifications/acknowledgments/read-callback';
import type { CallbackAnswer } from '@/server/notifications/providers/callback';
import type { Db } from '@/server/platform/db';
import type { Prisma } from '@/server/platform/generated/prisma/client';
import { plainText } from '@/server/platform/plain-text';
import type { Call, VerbContext } from '@/server/trpc/contexts';
import { acknowledgeOpenings } from './acknowledge-openings';

const MOST_NAME = 100;
const UNKNOWN = 'This incident no longer exists.';

/**
 * Returns whether the provider's app showed the button: in the channel of the callback, or in another channel of the team with the same signing
 * secret.
 * @param where the channels to which the message with the button was sent
 */
async function wasShown(
  db: Db,
  where: Prisma.ChannelWhereInput,
  { channelId, teamId, type, isOf }: ChannelCallback,
): Promise<boolean> {
  const shown = await db.channel.findMany({ where: { ...where, teamId, type }, select: { id: true, config: true } });
  return shown.some(({ id, config }) => id === channelId || isOf(config));
}

/** Returns the incidents that a button's message listed, with their reopenings at that time; empty if the app showed no such message. */
async function openingsOf(db: Db, target: AcknowledgeTarget, callback: ChannelCallback): Promise<Opening[]> {
  if ('groupId' in target) {
    const group = await findAcknowledgeGroup(db, target.groupId);
    return group && (await wasShown(db, { id: group.channelId }, callback)) ? group.openings : [];
  }
  return (await wasShown(db, { deliveries: { some: target } }, callback)) ? [target] : [];
}

/** Returns the answer to the person who pressed the button of one incident: who acknowledged it, or why it was not acknowledged. */
async function answerAboutOne(db: Db, { incidentId: id, opening }: Opening): Promise<string> {
  const incident = await db.incident.findUnique({
    where: { id },
    select: {
      status: true,
      reopenings: true,
      updates: {
        where: { kind: 'acknowledged' },
        orderBy: [{ at: 'desc' }, { id: 'desc' }],
        take: 1,
        select: { authorName: true },
      },
    },
  });
  if (!incident) return UNKNOWN;
  const { status, reopenings, updates } = incident;
  if (status === 'resolved') return 'This incident is already resolved.';
  if (reopenings !== opening) return 'This incident was reopened. Use the button of its latest message.';
  return `Acknowledged by ${updates[0]?.authorName ?? 'someone'}.`;
}

const plural = (count: number) => `${count} ${count === 1 ? 'incident' : 'incidents'}`;

/** Returns the answer to the person who pressed the button of several incidents: how many were acknowledged, and why the others were not. */
async function answerAboutSeveral(db: Db, openings: Opening[], acknowledged: number): Promise<string> {
  const waiting = await db.incident.count({
    where: { id: { in: openings.map(({ incidentId }) => incidentId) }, status: 'open' },
  });
  const done = acknowledged > 0 ? `Acknowledged ${plural(acknowledged)}.` : '';
  if (waiting > 0) {
    const them = waiting === 1 ? 'is open because it was' : 'are open because they were';
    return `${done} ${plural(waiting)} ${them} reopened. Use the latest message.`.trim();
  }
  const left = openings.length - acknowledged;
  if (left === 0) return done;
  const others = done ? `The other ${left === 1 ? 'one was' : `${left} were`}` : 'These incidents were';
  return `${done} ${others} already acknowledged or resolved.`.trim();
}

/** @returns the answer to the person; null for a callback without a pressed button */
async function acknowledge(ctx: VerbContext, callback: ChannelCallback): Promise<string | null> {
  if (!callback.press) return null;
  const { button, person } = callback.press;
  const { teamId } = callback;
  const target = readButton(button);
  const openings = target ? await openingsOf(ctx.db, target, callback) : [];
  const [first] = openings;
  if (!target || !first) return UNKNOWN;
  const count = await acknowledgeOpenings(ctx, { teamId, openings, authorName: plainText(person, MOST_NAME) });
  return 'groupId' in target ? answerAboutSeveral(ctx.db, openings, count) : answerAboutOne(ctx.db, first);
}

/**
 * Acknowledges the incidents of a pressed button. The provider's signature is the credential. Idempotent: skips incidents that are resolved, or
 * were reopened after the message, so a repeated request acknowledges nothing new.
 */
export async function acknowledgeByCallback({
  ctx,
  input,
}: Call<ChannelCallback, VerbContext>): Promise<CallbackAnswer> {
  return input.answer(await acknowledge(ctx, input));
}
