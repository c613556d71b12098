import { z } from 'zod';
import { db } from '@/server/platform/db';
import { defineJob } from '@/server/platform/jobs';
import { log } from '@/server/platform/log';
import { MailError, sendMail } from '@/server/platform/mail';
import { composeMail } from '@/server/platform/mail/compose';
import { findSubscriber } from './subscriber';
import { toSummaryMail } from './summary-mail';
import { unsubscribeUrls } from './unsubscribe-link';
import { daysOf } from './week';
import { readWeekFigures } from './week-figures';

const Payload = z.object({
  id: z.string(),
  teamId: z.string(),
  userId: z.string(),
  week: z.string(),
  timezone: z.string(),
});

/** Mails a member the summary of a week, unless they left the team, unsubscribed or changed their address to an unconfirmed one. */
export const sendWeeklySummary = defineJob({
  name: 'send-weekly-summary',
  schema: Payload,
  async run({ id, teamId, userId, week, timezone }) {
    const subscriber = await findSubscriber(db, 'weekly', { teamId, userId });
    if (!subscriber?.isActive || !subscriber.isConfirmed) return;
    const team = { id: teamId, name: subscriber.teamName };
    const figures = await readWeekFigures(db, team, daysOf({ week, timezone }));
    const { page, oneClick } = unsubscribeUrls('weekly', { teamId, userId });
    const content = toSummaryMail(figures, { week, timezone, unsubscribeUrl: page });
    try {
      await sendMail({ id, to: subscriber.address, teamId, unsubscribeUrl: oneClick, ...composeMail(content) });
    } catch (error) {
      if (!(error instanceof MailError && error.permanent)) throw error;
      log.warn({ err: error, userId }, 'The mail server rejected a weekly summary');
    }
  },
});
