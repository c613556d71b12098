import { z } from 'zod';
import { cleanUpJob } from '@/server/admin/clean-up';
import { removeCustomerJob } from '@/server/billing/remove-customer';
import { mailEgress } from '@/server/checks/tell-egress';
import { keepCheckDays } from '@/server/history/keep-check-days';
import { rollUpHistory } from '@/server/history/roll-up-history';
import { deliverMessage } from '@/server/notifications/deliver-message';
import { type AnyJob, defineJob } from '@/server/platform/jobs';
import { PostgresKeyValue } from '@/server/platform/kv/postgres';
import { deletePageObjects, deleteUnusedLogo } from '@/server/status-pages/objects';
import { sendInvitation } from '@/server/teams/send-invitation';
import { deleteOldRows } from './delete-old-rows';
import { resealSecrets } from './reseal-secrets';

const sweepKv = defineJob({
  name: 'sweep-kv',
  schema: z.object({}),
  maxAttempts: 3,
  async run() {
    await new PostgresKeyValue().sweepExpired();
  },
});

/** Everything a worker does outside of requests and checks. */
export const jobs: AnyJob[] = [
  deliverMessage,
  sendInvitation,
  deleteUnusedLogo,
  deletePageObjects,
  cleanUpJob,
  removeCustomerJob,
  keepCheckDays,
  rollUpHistory,
  mailEgress,
  deleteOldRows,
  resealSecrets,
  sweepKv,
];

/** When recurring jobs run: minute, hour, day, month, weekday, name; in UTC. Those of one queue run one at a time. */
export const crontab = [
  '*/5 * * * * roll-up-history ?queue=roll-up-history',
  '17 * * * * keep-check-days ?queue=check-days',
  '47 3 * * * delete-old-rows',
  '*/10 * * * * sweep-kv',
].join('\n');
