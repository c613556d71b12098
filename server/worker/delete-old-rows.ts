import { z } from 'zod';
import { expiredEntries } from '@/server/audit/expired-entries';
import { db } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';
import { defineJob } from '@/server/platform/jobs';

/** Rows per statement, so that no statement deletes for long. */
const ROWS_AT_ONCE = 1_000;

/** What nobody asks for any more, table by table. */
const old: { table: string; where: Prisma.Sql }[] = [
  { table: 'account_links', where: Prisma.sql`expires_at < now()` },
  { table: 'idempotent_requests', where: Prisma.sql`expires_at < now()` },
  { table: 'refresh_tokens', where: Prisma.sql`expires_at < now() - interval '30 days'` },
  { table: 'sessions', where: Prisma.sql`least(revoked_at, expires_at) < now() - interval '30 days'` },
  { table: 'deliveries', where: Prisma.sql`created_at < now() - interval '90 days'` },
  { table: 'audit_entries', where: expiredEntries },
  { table: 'mail_quotas', where: Prisma.sql`day < (now() at time zone 'UTC')::date - 1` },
  { table: 'kept_mail', where: Prisma.sql`created_at < now() - interval '90 days'` },
];

/** Deletes what has ended long ago, with what belongs to it: a session's tokens, a delivery's attempts. */
export const deleteOldRows = defineJob({
  name: 'delete-old-rows',
  schema: z.object({}),
  maxAttempts: 3,
  async run(_payload, { signal }) {
    for (const { table, where } of old) {
      const name = Prisma.raw(table);
      for (let deleted = ROWS_AT_ONCE; deleted === ROWS_AT_ONCE && !signal.aborted; ) {
        // Whoever works on a row right now keeps it; it goes the next time.
        deleted = await db.$executeRaw`
          delete from ${name} where ctid = any(array(
            select ctid from ${name} where ${where} limit ${ROWS_AT_ONCE} for update skip locked))`;
      }
    }
  },
});
