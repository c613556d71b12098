import { z } from 'zod';
import { db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { defineJob } from '@/server/platform/jobs';
import { log } from '@/server/platform/log';
import { MailError, sendMail } from '@/server/platform/mail';
import { composeMail, type MailContent } from '@/server/platform/mail/compose';
import { momentText } from '@/server/time/moment-text';
import { markOwnersNotified } from './channel-health-queries';

const Payload = z.object({
  id: z.string(),
  userId: z.string(),
  channelId: z.string(),
  turn: z.enum(['failing', 'recovered']),
  failedAt: z.iso.datetime(),
});

interface Health {
  teamName: string;
  name: string;
  turn: 'failing' | 'recovered';
  lastError: string | null;
  failedAt: Date;
  timeZone: string | null;
  fallback: string | null;
  url: string;
}

/** Returns the content of the email to an owner about a channel of the team that began to fail or delivers again. */
export function channelHealthMail({ teamName, name, turn, url, ...about }: Health): MailContent {
  const since = momentText(about.failedAt, about.timeZone ?? 'UTC');
  const common = {
    teamName,
    button: { label: 'View channel', url },
    footer: [`Owners of ${teamName} get this, at most once an hour for each channel.`],
  };
  if (turn === 'recovered') {
    return {
      ...common,
      subject: `The channel ${name} delivers again`,
      state: { tone: 'up', text: 'Resolved' },
      title: `The channel ${name} delivers again`,
      paragraphs: [`Upwatch delivers alerts through the channel “${name}” again.`],
      facts: [{ label: 'Failed since', value: since }],
    };
  }
  return {
    ...common,
    subject: `The channel ${name} is failing`,
    state: { tone: 'warning', text: 'Action needed' },
    title: `The channel ${name} is failing`,
    reason: about.lastError,
    facts: [{ label: 'Since', value: since }],
    notes: [
      about.fallback
        ? `Its alerts go to the fallback channel “${about.fallback}” until it works again.`
        : 'The team has no fallback channel, so these alerts reach nobody through this channel.',
    ],
  };
}

/**
 * Mails one owner that a channel of the team is failing or delivers again. Sends no mail about a failure if the channel has recovered meanwhile, or
 * the owners were mailed about an earlier failure of it within the last hour.
 */
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
      select: { user: { select: { email: true, timeZone: true } } },
    });
    if (!owner || (turn === 'failing' && !(await markOwnersNotified(channelId, new Date(failedAt))))) return;
    const { name, lastError } = channel;
    const other = channel.fallback ?? team.fallbackChannel;
    const fallback = other && other.id !== channelId ? other.name : null;
    const url = `${env.appUrl}/channels/${channelId}`;
    const { email, timeZone } = owner.user;
    const content = channelHealthMail({
      teamName: team.name,
      name: name.replace(/\s+/g, ' '),
      turn,
      lastError,
      failedAt: new Date(failedAt),
      timeZone,
      fallback,
      url,
    });
    try {
      await sendMail({ id, to: email, teamId, ...composeMail(content) });
    } catch (error) {
      if (!(error instanceof MailError && error.permanent)) throw error;
      log.warn({ err: error, channelId }, 'The mail server rejected an email about a channel');
    }
  },
});
