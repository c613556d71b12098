import { z } from 'zod';
import { db } from '@/server/platform/db';
import { defineJob } from '@/server/platform/jobs';
import { log } from '@/server/platform/log';
import { MailError, sendMail } from '@/server/platform/mail';
import { confirmationUrl, newConfirmationToken } from './confirmation-link';
import { findEmailChannels } from './queries';
import { readConfirmations } from './recipient-queries';

const Payload = z.object({ id: z.string(), teamId: z.string(), address: z.string() });

function textOf(teamName: string, link: string): string {
  return [
    `The team “${teamName}” wants to send alerts from Upwatch to this address.`,
    '',
    'To receive alerts, open this link and confirm:',
    link,
    '',
    'The link expires in 7 days. If you do not want alerts, ignore this email; none will be sent.',
    '',
  ].join('\n');
}

/** Mails an address the link that confirms a team's messages, unless no channel needs it any more. */
export const sendConfirmation = defineJob({
  name: 'send-confirmation',
  schema: Payload,
  async run({ id, teamId, address }) {
    const channels = await findEmailChannels(db, { teamId, address });
    const [channel] = channels;
    if (!channel || (await readConfirmations(db, [channel.id])).get(channel.id) === 'confirmed') return;
    const text = textOf(channel.team.name, confirmationUrl(newConfirmationToken({ teamId, address })));
    try {
      await sendMail({ id, to: address, teamId, subject: `Confirm alerts from ${channel.team.name}`, text });
    } catch (error) {
      if (!(error instanceof MailError && error.permanent)) throw error;
      log.warn({ err: error, channelId: channel.id }, 'The mail server rejected a confirmation email');
    }
  },
});
