import { z } from 'zod';
import { countByMonitor, summariseIncidents } from '@/server/incidents/summarise-incidents';
import { db } from '@/server/platform/db';
import { defineJob } from '@/server/platform/jobs';
import { log } from '@/server/platform/log';
import { MailError, sendMail } from '@/server/platform/mail';
import { composeMail } from '@/server/platform/mail/compose';
import { getReport } from '@/server/reports/get-report';
import { daysBefore } from './month';
import { MOST_MONITORS, toReportMail } from './report-mail';
import { findSubscriber } from './subscriber';
import { unsubscribeUrls } from './unsubscribe-link';

/** The objective in percent, as the reports page has it by default. */
const OBJECTIVE = 99.9;

const Payload = z.object({ id: z.string(), teamId: z.string(), userId: z.string(), month: z.string() });

/** Mails a member the report of the month before, unless they left the team, unsubscribed or changed their address to an unconfirmed one. */
export const sendMonthlyReport = defineJob({
  name: 'send-monthly-report',
  schema: Payload,
  async run({ id, teamId, userId, month }) {
    const subscriber = await findSubscriber(db, 'monthly', { teamId, userId });
    if (!subscriber?.isActive || !subscriber.isConfirmed) return;
    const report = await getReport(db, teamId, { ...daysBefore(month), objective: OBJECTIVE });
    const range = { from: new Date(report.from), to: new Date(report.to) };
    const shown = report.monitors.slice(0, MOST_MONITORS);
    const ids = shown.map((monitor) => monitor.id);
    const figures = {
      teamName: subscriber.teamName,
      report,
      summary: await summariseIncidents(db, teamId, range),
      incidents: await countByMonitor(db, teamId, ids, range),
    };
    const { page, oneClick } = unsubscribeUrls('monthly', { teamId, userId });
    const content = toReportMail(figures, { month, unsubscribeUrl: page });
    try {
      await sendMail({ id, to: subscriber.address, teamId, unsubscribeUrl: oneClick, ...composeMail(content) });
    } catch (error) {
      if (!(error instanceof MailError && error.permanent)) throw error;
      log.warn({ err: error, userId }, 'The mail server rejected a monthly report');
    }
  },
});
