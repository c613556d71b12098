import { z } from 'zod';
import { db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { defineJob } from '@/server/platform/jobs';
import { log } from '@/server/platform/log';
import { MailError, sendMail } from '@/server/platform/mail';
import { markOwnersNotified } from './channel-health-queries';

const Payload = z.object({
  id: z.string(),
  userId: z.string(),
  channelId: z.string(),
  turn: z.enum(['failing', 'recovered']),
  failedAt: z.iso.datetime(),
});

interface Failing {
  name: string;
  lastError: string | null;
  fallback: string | null;
  url: string;
}

const texts = {
  failing: ({ name, lastError, fallback, url }: Failing) => ({
    subject: `The channel ${name} is failing`,
    text: [
      `Upwatch could not deliver alerts through the channel “${name}”.`,
      ...(lastError ? [`Last error: ${lastError}.`] : []),
      fallback
        ? `Its alerts go to the fallback channel “${fallback}” until it works again.`
        : 'The team has no fallback channel, so these alerts reach nobody through this channel.',
      '',
      `See its deliveries and settings: ${url}`,
      '',
    ].join('\n'),
  }),
  recovered: ({ name, url }: Failing) => ({
    subject: `The channel ${name} delivers again`,
    text: [`Upwatch delivers alerts through the channel “${name}” again.`, '', url, ''].join('\n'),
  }),
};

/** Mails one owner that a channel of the team is failing or delivers again. Sends no mail about a failing channel that has recovered meanwhile. */
export const mailChannelHealth = defineJob({
  name: 'mail-channel-health',
  schema: Payload,
  async run({ id, userId, channelId, turn, failedAt }) {
    const channel = await db.channel.findUnique({
      where: { id: channelId },
      include: { fallback: true, team: { include: { fallbackChannel: true } } },
    });
    const { teamId = null, team } = channel ?? {};
    if (!channel || teamId === null || !team) return;
    const owner = await db.membership.findFirst({
      where: { userId, teamId, role: 'owner' },
      select: { user: { select: { email: true } } },
    });
    if (!owner || (turn === 'failing' && !(await markOwnersNotified(channelId, new Date(failedAt))))) return;
    const { name, lastError } = channel;
    const other = channel.fallback ?? team.fallbackChannel;
    const fallback = other && other.id !== channelId ? other.name : null;
    const url = `${env.appUrl}/channels/${channelId}`;
    const shown = name.replace(/\s+/g, ' ');
    try {
      await sendMail({ id, to: owner.user.email, teamId, ...texts[turn]({ name: shown, lastError, fallback, url }) });
    } catch (error) {
      if (!(error instanceof MailError && error.permanent)) throw error;
      log.warn({ err: error, channelId }, 'The mail server rejected an email about a channel');
    }
  },
});
