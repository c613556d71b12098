import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { recordAudit, recordAudits } from '@/server/audit/record-audit';
import { CONFIRM_DEFAULTS } from '@/server/monitor-types/config/confirm';
import { CONNECTION_TESTS_DEFAULT } from '@/server/monitor-types/config/tests-connection';
import { db, type Tx } from '@/server/platform/db';
import { defineJob, enqueue } from '@/server/platform/jobs';

const ACTION = 'monitor.defaults';
/** The maximum number of audit entries per statement. */
const MOST_ENTRIES = 1_000;

/**
 * Writes changed default settings to the audit logs of all teams that have other monitors than heartbeats. Compares with the instance's last such
 * entry; writes nothing if they are the same, and no entries for teams the first time.
 * @param defaults the values of monitors that do not set them
 */
export async function noteDefaults(tx: Tx, defaults: Record<string, number | boolean>): Promise<void> {
  const last = await tx.auditEntry.findFirst({ where: { teamId: null, action: ACTION }, orderBy: { id: 'desc' } });
  const before = last?.after as Record<string, unknown> | null | undefined;
  if (before && isDeepStrictEqual(before, defaults)) return;
  const target = { type: 'monitor', id: null, name: 'confirm' };
  // Without `before` the entry stores all defaults, so that the next change is compared with them.
  await recordAudit(tx, 'system', { teamId: null, action: ACTION, target, after: defaults });
  if (!before) return;
  const teams = await tx.monitor.groupBy({ by: 'teamId', where: { type: { not: 'heartbeat' } } });
  const changes = teams.map(({ teamId }) => ({ teamId, action: ACTION, target, before, after: { ...defaults } }));
  for (let from = 0; from < changes.length; from += MOST_ENTRIES) {
    await recordAudits(tx, 'system', changes.slice(from, from + MOST_ENTRIES));
  }
}

/** Writes the defaults of this version to the audit logs if they changed. */
export const noteDefaultsJob = defineJob({
  name: 'note-defaults',
  schema: z.object({}),
  run: () =>
    db.$transaction((tx) =>
      noteDefaults(tx, {
        ...CONFIRM_DEFAULTS,
        longerIfNoisy: true,
        countsWaits: true,
        connectionTests: CONNECTION_TESTS_DEFAULT,
      }),
    ),
});

/** Queues `noteDefaultsJob`. Several workers that call it queue only one job. */
export async function queueDefaults(): Promise<void> {
  await enqueue(db, noteDefaultsJob, {}, { jobKey: noteDefaultsJob.name });
}
