import { z } from 'zod';
import { db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { defineJob, enqueueMany } from '@/server/platform/jobs';
import { kv } from '@/server/platform/kv';
import { log } from '@/server/platform/log';
import { MailError, sendMail } from '@/server/platform/mail';
import { composeMail, type MailContent } from '@/server/platform/mail/compose';

const Payload = z.object({
  userId: z.string(),
  region: z.string(),
  kind: z.enum(['lost', 'back']),
  at: z.iso.datetime(),
});

/** An episode whose end nobody reports expires after a day. */
const EPISODE_SECONDS = 86_400;
/** Workers of one region report the end of an episode within this time of each other. */
const END_SECONDS = 60;

const texts = {
  lost: {
    subject: (region: string) => `Upwatch: the network of region ${region} is down`,
    says: 'checks failed, and the egress check targets (EGRESS_CANARIES) did not respond either. Until they do, failing checks count as unknown and do not open incidents.',
  },
  back: {
    subject: (region: string) => `Upwatch: the network of region ${region} is back`,
    says: 'the egress check targets or the monitored targets respond again. Checks count as usual.',
  },
};

/** Returns the email that informs an administrator that the network of a region is down or back. */
export function egressMail({
  region,
  kind,
  at,
}: Pick<z.output<typeof Payload>, 'region' | 'kind' | 'at'>): MailContent {
  const { subject, says } = texts[kind];
  const when = `${at.slice(0, 19).replace('T', ' ')} UTC`;
  return {
    subject: subject(region),
    teamName: null,
    state: kind === 'lost' ? { tone: 'down', text: 'Network down' } : { tone: 'up', text: 'Resolved' },
    title: kind === 'lost' ? `The network of region ${region} is down` : `The network of region ${region} is back`,
    paragraphs: [`Since ${when} in region ${region}: ${says}`],
    button: { label: 'View workers', url: `${env.appUrl}/instance/workers` },
    footer: ['Administrators of this Upwatch instance get this once for each outage of a region.'],
  };
}

/** Mails one administrator that a region's network went down or came back. */
export const mailEgress = defineJob({
  name: 'mail-egress',
  schema: Payload,
  async run({ userId, region, kind, at }) {
    const user = await db.user.findFirst({
      where: { id: userId, isAdmin: true },
      select: { email: true, memberships: { select: { teamId: true }, take: 1 } },
    });
    const teamId = user?.memberships[0]?.teamId;
    if (!user || teamId === undefined) return;
    try {
      await sendMail({ to: user.email, teamId, ...composeMail(egressMail({ region, kind, at })) });
    } catch (error) {
      if (!(error instanceof MailError && error.permanent)) throw error;
      log.warn({ err: error, userId }, 'The mail server rejected an email about the network');
    }
  },
});

const keysOf = (region: string) => ({ lost: `egress-lost:${region}`, back: `egress-back:${region}` });

/**
 * Records a worker's report that the network of its region was lost or is back.
 * @returns whether it is the first report of this change in the region; false for `back` if no loss is recorded
 */
async function recordFirst(region: string, kind: 'lost' | 'back'): Promise<boolean> {
  const { lost, back } = keysOf(region);
  // The end of the previous episode may have been reported just before; it must not suppress the end of this one.
  if (kind === 'lost') await kv.del(back);
  if (kind === 'lost') return (await kv.incr(lost, { ttlSeconds: EPISODE_SECONDS })).value === 1;
  if ((await kv.get(lost)) === null) return false;
  return (await kv.incr(back, { ttlSeconds: END_SECONDS })).value === 1;
}

async function queueMails(region: string, kind: 'lost' | 'back', at: Date): Promise<void> {
  await db.$transaction(async (tx) => {
    const admins = await tx.user.findMany({ where: { isAdmin: true }, select: { id: true } });
    const payload = { region, kind, at: at.toISOString() };
    await enqueueMany(
      tx,
      mailEgress,
      admins.map(({ id: userId }) => ({ payload: { userId, ...payload } })),
    );
  });
}

/**
 * Mails every administrator of the instance, once per episode, that a region's network went down or came back. Rejects if the mails could not be
 * queued; the call may then be repeated.
 */
export async function reportEgress(region: string, kind: 'lost' | 'back', at: Date): Promise<void> {
  if (!(await recordFirst(region, kind))) return;
  const keys = keysOf(region);
  try {
    await queueMails(region, kind, at);
  } catch (error) {
    await kv.del(keys[kind]);
    throw error;
  }
  if (kind === 'back') await kv.del(keys.lost);
}
