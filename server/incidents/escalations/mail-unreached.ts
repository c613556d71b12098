import { z } from 'zod';
import { db, type Tx } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { newId } from '@/server/platform/ids';
import { defineJob, enqueueMany } from '@/server/platform/jobs';
import { log } from '@/server/platform/log';
import { MailError, sendMail } from '@/server/platform/mail';
import { composeMail, type MailContent } from '@/server/platform/mail/compose';
import { momentText } from '@/server/time/moment-text';

interface Unreached {
  teamName: string;
  name: string;
  policyName: string;
  startedAt: Date;
  timeZone: string | null;
  incidentUrl: string;
  policyUrl: string;
}

/** Returns the email that informs an owner that an escalation notified nobody. */
export function unreachedMail({ teamName, name, policyName, startedAt, timeZone, ...urls }: Unreached): MailContent {
  return {
    subject: `Nobody was notified: ${name}`,
    teamName,
    state: { tone: 'down', text: 'Nobody was notified' },
    title: name,
    paragraphs: [`The escalation policy “${policyName}” could not notify anybody of this open incident.`],
    facts: [{ label: 'Since', value: momentText(startedAt, timeZone ?? 'UTC') }],
    button: { label: 'View incident', url: urls.incidentUrl },
    more: { label: 'Repair the policy', url: urls.policyUrl },
    footer: [
      `Owners of ${teamName} get this once for each incident that an escalation policy could not hand to anybody.`,
    ],
  };
}

/** Mails one owner that an escalation has notified nobody. Sends nothing if the incident is no longer open or the user no longer an owner. */
export const mailUnreached = defineJob({
  name: 'mail-unreached',
  schema: z.object({ id: z.string(), userId: z.string(), incidentId: z.string() }),
  async run({ id, userId, incidentId }) {
    const incident = await db.incident.findFirst({
      where: { id: incidentId, status: 'open' },
      include: {
        escalation: true,
        monitor: { select: { name: true } },
        team: { select: { name: true } },
      },
    });
    if (!incident?.escalation) return;
    const { teamId, escalation, startedAt } = incident;
    const owner = await db.membership.findFirst({
      where: { userId, teamId, role: 'owner' },
      select: { user: { select: { email: true, timeZone: true } } },
    });
    if (!owner) return;
    const shown = (text: string) => text.replace(/\s+/g, ' ');
    const name = shown(incident.title ?? incident.monitor?.name ?? 'An incident');
    const { email, timeZone } = owner.user;
    const content = unreachedMail({
      teamName: incident.team.name,
      name,
      policyName: shown(escalation.policyName),
      startedAt,
      timeZone,
      incidentUrl: `${env.appUrl}/incidents/${incidentId}`,
      policyUrl: `${env.appUrl}/on-call/escalation-policies/${escalation.policyId}`,
    });
    try {
      await sendMail({ id, to: email, teamId, ...composeMail(content) });
    } catch (error) {
      if (!(error instanceof MailError && error.permanent)) throw error;
      log.warn({ err: error, incidentId }, 'The mail server rejected an email about an escalation');
    }
  },
});

/** Queues a mail to each owner of the team, which says that the escalation of an incident has notified nobody. */
export async function queueUnreachedMail(tx: Tx, teamId: string, incidentId: string): Promise<void> {
  const owners = await tx.membership.findMany({ where: { teamId, role: 'owner' }, select: { userId: true } });
  await enqueueMany(
    tx,
    mailUnreached,
    owners.map(({ userId }) => ({ payload: { id: newId(), userId, incidentId } })),
  );
}
