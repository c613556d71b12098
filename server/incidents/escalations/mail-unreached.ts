import { z } from 'zod';
import { db, type Tx } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { newId } from '@/server/platform/ids';
import { defineJob, enqueueMany } from '@/server/platform/jobs';
import { log } from '@/server/platform/log';
import { MailError, sendMail } from '@/server/platform/mail';

/** Mails one owner that an escalation has notified nobody. Sends nothing if the incident is no longer open. */
export const mailUnreached = defineJob({
  name: 'mail-unreached',
  schema: z.object({ id: z.string(), userId: z.string(), incidentId: z.string() }),
  async run({ id, userId, incidentId }) {
    const incident = await db.incident.findFirst({
      where: { id: incidentId, status: 'open' },
      include: { escalation: true, monitor: { select: { name: true } } },
    });
    if (!incident?.escalation) return;
    const { teamId, escalation } = incident;
    const owner = await db.membership.findFirst({
      where: { userId, teamId, role: 'owner' },
      select: { user: { select: { email: true } } },
    });
    if (!owner) return;
    const shown = (text: string) => text.replace(/\s+/g, ' ');
    const name = shown(incident.title ?? incident.monitor?.name ?? 'An incident');
    const policy = shown(escalation.policyName);
    const text = [
      `The escalation policy “${policy}” could not notify anybody of this open incident: ${name}.`,
      '',
      `See the incident and acknowledge it: ${env.appUrl}/incidents/${incidentId}`,
      `See what is wrong with the policy: ${env.appUrl}/on-call/escalation-policies/${escalation.policyId}`,
      '',
    ].join('\n');
    try {
      await sendMail({ id, to: owner.user.email, teamId, subject: `Nobody was notified: ${name}`, text });
    } catch (error) {
      if (!(error instanceof MailError && error.permanent)) throw error;
      log.warn({ err: error, incidentId }, 'The mail server rejected an email about an escalation');
    }
  },
});

/** Queues a mail to each owner of the team that the escalation of an incident has notified nobody. */
export async function queueUnreachedMail(tx: Tx, teamId: string, incidentId: string): Promise<void> {
  const owners = await tx.membership.findMany({ where: { teamId, role: 'owner' }, select: { userId: true } });
  await enqueueMany(
    tx,
    mailUnreached,
    owners.map(({ userId }) => ({ payload: { id: newId(), userId, incidentId } })),
  );
}
