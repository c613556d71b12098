import { z } from 'zod';
import { db } from '@/server/platform/db';
import { defineJob } from '@/server/platform/jobs';
import { log } from '@/server/platform/log';
import { MailError, sendMail } from '@/server/platform/mail';
import { findRecipient, type KnownRecipient } from '../queries';
import { confirmationUrl, newConfirmationToken } from './confirmation-link';

const Payload = z.object({ id: z.string(), teamId: z.string(), address: z.string() });

const thingOf = ({ channels }: KnownRecipient) => (channels.length > 0 ? 'alerts' : 'weekly summaries');

function textOf(known: KnownRecipient, link: string): string {
  const things = thingOf(known);
  return [
    `The team “${known.teamName}” wants to send ${things} from Upwatch to this address.`,
    '',
    `To receive ${things}, open this link and confirm:`,
    link,
    '',
    `The link expires in 7 days. If you do not want ${things}, ignore this email; none will be sent.`,
    '',
  ].join('\n');
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
    const { teamName } = known;
    const text = textOf(known, confirmationUrl(newConfirmationToken({ teamId, address })));
    try {
      await sendMail({ id, to: address, teamId, subject: `Confirm ${thingOf(known)} from ${teamName}`, text });
    } catch (error) {
      if (!(error instanceof MailError && error.permanent)) throw error;
      log.warn({ err: error, teamId }, 'The mail server rejected a confirmation email');
    }
  },
});
