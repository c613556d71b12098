import { z } from 'zod';
import { unseal } from '@/server/platform/crypto';
import { db } from '@/server/platform/db';
import { defineJob } from '@/server/platform/jobs';
import { log } from '@/server/platform/log';
import { MailError, sendMail } from '@/server/platform/mail';
import { composeMail, type MailContent } from '@/server/platform/mail/compose';
import { momentText } from '@/server/time/moment-text';
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

interface Invited {
  by: { name: string | null; email: string } | null;
  teamName: string;
  role: string;
  expiresAt: Date;
  url: string;
}

export function invitationMail({ by, teamName, role, expiresAt, url }: Invited): MailContent {
  const name = by?.name ?? by?.email ?? 'Someone';
  const full = by?.name ? `${by.name} (${by.email})` : name;
  return {
    subject: `${name} invited you to ${teamName} on Upwatch`,
    teamName: null,
    title: `Join ${teamName} on Upwatch`,
    paragraphs: [`${full} invited you to join the team “${teamName}” as ${role}.`],
    button: { label: 'Accept invitation', url },
    notes: [
      `The link can be used once and expires on ${momentText(expiresAt, 'UTC')}. Anyone with the link can join, so do not share it.`,
    ],
    footer: ['If you did not expect this invitation, you can ignore this email.'],
  };
}

/** Emails an invitation's link, unless the invitation is no longer open. */
export const sendInvitation = defineJob({
  name: 'send-invitation',
  schema: Payload,
  async run({ invitationId, sealedToken }) {
    const row = await findInvitation(invitationId);
    if (!row || invitationStatus(row, new Date()) !== 'open') return;
    try {
      const { id, email, teamId, team, createdBy: by, role, expiresAt } = row;
      const url = invitationUrl(unseal(sealedToken));
      const content = invitationMail({ by, teamName: team.name, role, expiresAt, url });
      await sendMail({ id, to: email, teamId, ...composeMail(content) });
    } catch (error) {
      if (!(error instanceof MailError && error.permanent)) throw error;
      log.warn({ err: error, invitationId }, 'The mail server rejected an invitation email');
    }
  },
});
