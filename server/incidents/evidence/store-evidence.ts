import { z } from 'zod';
import { db } from '@/server/platform/db';
import { defineJob, dequeue, enqueue } from '@/server/platform/jobs';
import { log } from '@/server/platform/log';
import { storage } from '@/server/platform/storage';
import { assemble, toKept } from './assemble';
import { evidenceKey } from './evidence-key';
import { deleteUncounted, type EvidenceRow, ofTeams, readRows, unstoredIds } from './queries';

/** The delay of the clean-up job: by then, an upload has finished or failed. */
const UPLOAD_MS = 3_600_000;
const IDS_AT_ONCE = 100;
const DELETED_AT_ONCE = 1_000;
/** After this many failures in a run, the object storage counts as unreachable. */
const MOST_FAILURES = 5;

const isThere = (id: string) => db.incidentEvidence.findUnique({ where: { id, ...ofTeams }, select: { id: true } });

/** Deletes an evidence object if its row no longer exists, because the incident was deleted during the upload. */
export const deleteUnusedEvidence = defineJob({
  name: 'delete-unused-evidence',
  schema: z.object({ id: z.string(), key: z.string() }),
  async run({ id, key }) {
    if (!(await isThere(id))) await storage.del(key);
  },
});

/**
 * Uploads evidence as one object, and then deletes its attempts from the database. Queues the clean-up first, so that no object is left if the
 * incident is deleted during the upload.
 */
async function store(row: EvidenceRow): Promise<void> {
  const { id, incident } = row;
  const key = evidenceKey(incident.teamId, row);
  const jobKey = `delete-unused-evidence:${id}`;
  const bytes = Buffer.from(
    JSON.stringify(
      await assemble(
        db,
        row,
        row.attempts.map(({ content }) => toKept(content)),
      ),
    ),
  );
  await db.$transaction((tx) =>
    enqueue(tx, deleteUnusedEvidence, { id, key }, { jobKey, runAt: new Date(Date.now() + UPLOAD_MS) }),
  );
  await storage.put(key, bytes, { contentType: 'application/json' });
  const isKept = await db.$transaction(async (tx) => {
    const { count } = await tx.incidentEvidence.updateMany({
      where: { id, ...ofTeams },
      data: { storedAt: new Date() },
    });
    await tx.checkAttempt.deleteMany({ where: { evidenceId: id } });
    if (count > 0) await dequeue(tx, jobKey);
    return count > 0;
  });
  if (!isKept) await storage.del(key);
}

/**
 * Moves one evidence to the object storage. Logs a failure, which does not block others; the next run retries it.
 * @returns false if it failed
 */
async function tryStore(id: string): Promise<boolean> {
  try {
    // One at a time, because the attempts of a row may have several MB.
    for (const row of await readRows({ id, storedAt: null, ...ofTeams }, 1)) await store(row);
    return true;
  } catch (error) {
    log.warn({ err: error, evidence: id }, 'Evidence could not be moved to the object storage yet');
    return false;
  }
}

/**
 * Moves evidence from the database to the object storage, and deletes attempts that no verdict counted. While the storage is unreachable, evidence
 * stays in the database and is read from there.
 */
export const storeEvidence = defineJob({
  name: 'store-evidence',
  schema: z.object({}),
  maxAttempts: 3,
  async run(_payload, { signal }) {
    for (let count = DELETED_AT_ONCE; count === DELETED_AT_ONCE && !signal.aborted; ) {
      count = await deleteUncounted(DELETED_AT_ONCE);
    }
    let failures = 0;
    let ids = await unstoredIds('', IDS_AT_ONCE);
    while (ids.length > 0 && failures < MOST_FAILURES && !signal.aborted) {
      for (const id of ids) {
        if (failures < MOST_FAILURES && !signal.aborted && !(await tryStore(id))) failures += 1;
      }
      ids = await unstoredIds(ids.at(-1) ?? '', IDS_AT_ONCE);
    }
  },
});
