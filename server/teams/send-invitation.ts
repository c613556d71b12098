import { z } from 'zod';
import { unseal } from '@/server/platform/crypto';
import { db } from '@/server/platform/db';
import { defineJob } from '@/server/platform/jobs';
import { log } from '@/server/platform/log';
import { MailError, sendMail } from '@/server/platform/mail';
import { invitationStatus } from './invitation-status';
import { invitationUrl } from './invitation-url';

/** The database keeps a token only as its hash, so it travels sealed. */
const Payload = z.object({ invitationId: z.string(), sealedToken: z.string() });

function findInvitation(id: string) {
  return db.invitation.findUnique({
    where: { id },
    include: { team: { select: { name: true } }, createdBy: { select: { name: true, email: true } } },
  });
}

type Row = NonNullable<Awaited<ReturnType<typeof findInvitation>>>;

function toMail({ id, email, role, teamId, team, createdBy, expiresAt }: Row, token: string) {
  const by = createdBy ? (createdBy.name ?? createdBy.email) : 'Someone';
  const until = `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const text = [
    `${by} invites you to the team “${team.name}” on Upwatch, with the role ${role}.`,
    '',
    'Open this link to join:',
    invitationUrl(token),
    '',
    `It works once, until ${until}. Whoever has it can join, so do not pass it on.`,
    'If you did not expect it, there is nothing to do.',
    '',
  ].join('\n');
  return { id, to: email, teamId, subject: `${by} invites you to ${team.name} on Upwatch`, text };
}

/** Mails an invitation's link, unless it is of no use any more. */
export const sendInvitation = defineJob({
  name: 'send-invitation',
  schema: Payload,
  async run({ invitationId, sealedToken }) {
    const row = await findInvitation(invitationId);
    if (!row || invitationStatus(row, new Date()) !== 'open') return;
    try {
      await sendMail(toMail(row, unseal(sealedToken)));
    } catch (error) {
      if (!(error instanceof MailError && error.permanent)) throw error;
      log.warn({ err: error, invitationId }, 'The mail of an invitation was refused for good');
    }
  },
});
