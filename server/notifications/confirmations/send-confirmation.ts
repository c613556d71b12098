import { z } from 'zod';
import { db } from '@/server/platform/db';
import { defineJob } from '@/server/platform/jobs';
import { log } from '@/server/platform/log';
import { MailError, sendMail } from '@/server/platform/mail';
import { composeMail, type MailContent } from '@/server/platform/mail/compose';
import { findRecipient, type KnownRecipient } from '../queries';
import { confirmationUrl, newConfirmationToken } from './confirmation-link';

const Payload = z.object({ id: z.string(), teamId: z.string(), address: z.string() });

/** What a team wants to send to an address. */
type Things = 'alerts' | 'summaries and reports' | 'weekly summaries' | 'monthly reports';

/** Returns the content of the email that asks an address to confirm that a team may send to it. */
export function confirmationMail(teamName: string, things: Things, url: string): MailContent {
  return {
    subject: `Confirm ${things} from ${teamName}`,
    teamName,
    title: `Do you want ${things} from ${teamName}?`,
    paragraphs: [`The team “${teamName}” wants to send ${things} from Upwatch to this address.`],
    button: { label: `Confirm ${things}`, url },
    footer: [`The link expires in 7 days. If you do not want ${things}, ignore this email; none will be sent.`],
  };
}

function thingsOf({ channels, hasSummary, hasReport }: KnownRecipient): Things {
  if (channels.length > 0) return 'alerts';
  if (hasSummary && hasReport) return 'summaries and reports';
  return hasSummary ? 'weekly summaries' : 'monthly reports';
}

/**
 * Mails an address the link that confirms a team's messages. Sends nothing if the address has confirmed, or the team no longer has anything to send
 * to it.
 */
export const sendConfirmation = defineJob({
  name: 'send-confirmation',
  schema: Payload,
  async run({ id, teamId, address }) {
    const known = await findRecipient(db, { teamId, address });
    if (!known || known.isConfirmed) return;
    const things = thingsOf(known);
    const url = confirmationUrl(newConfirmationToken({ teamId, address }));
    try {
      await sendMail({ id, to: address, teamId, ...composeMail(confirmationMail(known.teamName, things, url)) });
    } catch (error) {
      if (!(error instanceof MailError && error.permanent)) throw error;
      log.warn({ err: error, teamId }, 'The mail server rejected a confirmation email');
    }
  },
});
