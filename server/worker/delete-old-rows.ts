import { z } from 'zod';
import { deleteExpiredEntries } from '@/server/audit/delete-expired-entries';
import { endStaleImports } from '@/server/imports/end-stale-imports';
import { KEPT_DAYS } from '@/server/imports/schema';
import { LINK_LIFE_MS } from '@/server/notifications/acknowledgments/acknowledge-link';
import { deleteUnusedRecipients } from '@/server/notifications/confirmations/delete-unused-recipients';
import { db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { defineJob } from '@/server/platform/jobs';
import { DAY_MS } from '@/server/time/schema';

/** The number of rows that one statement deletes, so that none runs for long. */
const ROWS_AT_ONCE = 1_000;

type DeleteSome = (now: number, limit: number) => Promise<{ count: number }>;

const daysBefore = (now: number, days: number) => ({ lt: new Date(now - days * DAY_MS) });

const beforeYesterday = (now: number) => ({ lt: new Date(new Date(now - DAY_MS).setUTCHours(0, 0, 0, 0)) });

function oldImports(now: number) {
  const state = { in: ['uploading' as const, 'ready' as const] };
  return { OR: [{ createdAt: daysBefore(now, KEPT_DAYS) }, { state, createdAt: daysBefore(now, 1) }] };
}

/** Functions for one table each: delete (or end) at most `limit` expired rows and return their number. */
const old: DeleteSome[] = [
  (now, limit) => db.accountLink.deleteMany({ where: { expiresAt: daysBefore(now, 0) }, limit }),
  (now, limit) => db.idempotentRequest.deleteMany({ where: { expiresAt: daysBefore(now, 0) }, limit }),
  (now, limit) => db.refreshToken.deleteMany({ where: { expiresAt: daysBefore(now, 30) }, limit }),
  (now, limit) => {
    const ended = daysBefore(now, 30);
    return db.session.deleteMany({ where: { OR: [{ revokedAt: ended }, { expiresAt: ended }] }, limit });
  },
  (now, limit) => db.delivery.deleteMany({ where: { createdAt: daysBefore(now, 90) }, limit }),
  (now, limit) => db.acknowledgeGroup.deleteMany({ where: { sentAt: { lt: new Date(now - LINK_LIFE_MS) } }, limit }),
  (now, limit) => db.deliveryExchange.deleteMany({ where: { at: daysBefore(now, env.rawRetentionDays) }, limit }),
  (_now, limit) => deleteExpiredEntries(limit),
  (now, limit) => db.mailQuota.deleteMany({ where: { day: beforeYesterday(now) }, limit }),
  (now, limit) => db.idempotencyQuota.deleteMany({ where: { day: beforeYesterday(now) }, limit }),
  (now, limit) => db.weeklySummary.deleteMany({ where: { week: daysBefore(now, 30) }, limit }),
  (now, limit) => db.monthlyReport.deleteMany({ where: { month: daysBefore(now, 60) }, limit }),
  (now, limit) => db.liveWatcher.deleteMany({ where: { until: daysBefore(now, 1) }, limit }),
  // Also matches used and revoked invitations, because every invitation expires 7 days after its creation.
  (now, limit) => db.invitation.deleteMany({ where: { expiresAt: daysBefore(now, 90) }, limit }),
  (now, limit) => deleteUnusedRecipients(new Date(now - 90 * DAY_MS), limit),
  // Before their imports, because each import has thousands of items.
  (now, limit) => db.importItem.deleteMany({ where: { import: oldImports(now) }, limit }),
  (now, limit) => db.import.deleteMany({ where: oldImports(now), limit }),
  endStaleImports,
  (now, limit) => db.undeliveredMail.deleteMany({ where: { createdAt: daysBefore(now, 90) }, limit }),
];

/** Deletes expired rows with their dependants, such as a session's tokens or a delivery's attempts. */
export const deleteOldRows = defineJob({
  name: 'delete-old-rows',
  schema: z.object({}),
  maxAttempts: 3,
  async run(_payload, { signal }) {
    const now = Date.now();
    for (const deleteSome of old) {
      for (let count = ROWS_AT_ONCE; count === ROWS_AT_ONCE && !signal.aborted; ) {
        ({ count } = await deleteSome(now, ROWS_AT_ONCE));
      }
    }
  },
});
