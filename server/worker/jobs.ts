import { z } from 'zod';
import { cleanUpJob } from '@/server/admin/clean-up';
import { sampleInstance } from '@/server/admin/sample-instance';
import { sendAccountMail } from '@/server/auth/send-account-mail';
import { removeCustomerJob } from '@/server/billing/remove-customer';
import { mailEgress } from '@/server/checks/run/report-egress';
import { keepCheckDays } from '@/server/history/keep-check-days';
import { rollUpHistory } from '@/server/history/roll-up-history';
import { settleDependencies } from '@/server/incidents/dependencies/settle-dependencies';
import {
  advanceEscalation,
  settleEscalation,
  sweepEscalations,
} from '@/server/incidents/escalations/advance-escalation';
import { mailUnreached } from '@/server/incidents/escalations/mail-unreached';
import { deleteUnusedEvidence, storeEvidence } from '@/server/incidents/evidence/store-evidence';
import { renderPostmortems } from '@/server/incidents/postmortems/render-postmortems';
import { announceWindow } from '@/server/maintenance/announce-window';
import { notifyEdge } from '@/server/maintenance/notify-edge';
import { planMaintenance } from '@/server/maintenance/plan-ahead';
import { deleteMonitors } from '@/server/monitors/bulk/delete-later';
import { noteDefaultsJob } from '@/server/monitors/note-defaults';
import { notifyPaused } from '@/server/monitors/pause';
import { sendConfirmation } from '@/server/notifications/confirmations/send-confirmation';
import { deliverMessage } from '@/server/notifications/deliveries/deliver-channel';
import { mailChannelHealth } from '@/server/notifications/deliveries/mail-channel-health';
import { makeRestDue } from '@/server/notifications/deliveries/make-all-due';
import { reviewChannel } from '@/server/notifications/deliveries/review-channel';
import { sendReminders } from '@/server/notifications/deliveries/send-reminders';
import { type AnyJob, defineJob } from '@/server/platform/jobs';
import { PostgresKeyValue } from '@/server/platform/kv/postgres';
import { deletePageObjects, deleteUnusedLogo } from '@/server/status-pages/objects';
import { queueMonthlyReports } from '@/server/summaries/queue-monthly-reports';
import { queueWeeklySummaries } from '@/server/summaries/queue-weekly-summaries';
import { sendMonthlyReport } from '@/server/summaries/send-monthly-report';
import { sendWeeklySummary } from '@/server/summaries/send-weekly-summary';
import { sendInvitation } from '@/server/teams/invitations/send-invitation';
import { deleteOldRows } from './delete-old-rows';
import { removeDeleted } from './remove-deleted';
import { resealSecrets } from './reseal-secrets';
import { sealPlainSecrets } from './seal-plain-secrets';

const sweepKv = defineJob({
  name: 'sweep-kv',
  schema: z.object({}),
  maxAttempts: 3,
  async run() {
    await new PostgresKeyValue().sweepExpired();
  },
});

/** The jobs of a worker. */
export const jobs: AnyJob[] = [
  deliverMessage,
  sendReminders,
  settleDependencies,
  makeRestDue,
  reviewChannel,
  mailChannelHealth,
  advanceEscalation,
  settleEscalation,
  sweepEscalations,
  mailUnreached,
  sendAccountMail,
  sendInvitation,
  sendConfirmation,
  queueWeeklySummaries,
  sendWeeklySummary,
  queueMonthlyReports,
  sendMonthlyReport,
  deleteUnusedLogo,
  deletePageObjects,
  cleanUpJob,
  sampleInstance,
  removeCustomerJob,
  keepCheckDays,
  rollUpHistory,
  notifyPaused,
  deleteMonitors,
  planMaintenance,
  notifyEdge,
  announceWindow,
  mailEgress,
  storeEvidence,
  deleteUnusedEvidence,
  deleteOldRows,
  removeDeleted,
  resealSecrets,
  sealPlainSecrets,
  renderPostmortems,
  noteDefaultsJob,
  sweepKv,
];

/** The schedule of recurring jobs in UTC: minute, hour, day, month, weekday, name. Jobs of one queue run one at a time. */
export const crontab = [
  '*/5 * * * * roll-up-history ?queue=roll-up-history',
  '*/5 * * * * store-evidence ?queue=store-evidence',
  '17 * * * * keep-check-days ?queue=check-days',
  '* * * * * sample-instance ?queue=sample-instance',
  '* * * * * settle-dependencies ?queue=settle-dependencies',
  '* * * * * send-reminders ?queue=send-reminders',
  '*/15 * * * * queue-weekly-summaries ?queue=weekly-summaries',
  '*/15 * * * * queue-monthly-reports ?queue=monthly-reports',
  '*/10 * * * * plan-maintenance ?queue=plan-maintenance',
  '47 3 * * * delete-old-rows ?fill=1d',
  '* * * * * remove-deleted ?queue=remove-deleted',
  '* * * * * sweep-escalations',
  '*/10 * * * * sweep-kv',
].join('\n');
