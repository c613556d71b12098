import { z } from 'zod';
import { unseal } from '@/server/platform/crypto';
import { db } from '@/server/platform/db';
import { defineJob } from '@/server/platform/jobs';
import { log } from '@/server/platform/log';
import { MailError, sendMail } from '@/server/platform/mail';
import { invitationStatus } from './invitation-status';
import { invitationUrl } from './invitation-url';

/** The database stores only the hash of the token, so the job carries it encrypted. */
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
    `${by} invited you to join the team “${team.name}” on Upwatch as ${role}.`,
    '',
    'Open this link to join:',
    invitationUrl(token),
    '',
    `The link can be used once and expires on ${until}. Anyone with the link can join, so do not share it.`,
    'If you did not expect this invitation, you can ignore this email.',
    '',
  ].join('\n');
  return { id, to: email, teamId, subject: `${by} invited you to ${team.name} on Upwatch`, text };
}

/** Emails an invitation's link, unless the invitation is no longer open. */
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
      log.warn({ err: error, invitationId }, 'The mail server rejected an invitation email');
    }
  },
});
