import type { Db } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { log } from '@/server/platform/log';
import { takeLoopTurn } from '@/server/platform/loop-share';
import { storage } from '@/server/platform/storage';
import type { OnOneObject } from '@/server/trpc/contexts';
import { incidentNotFound } from '../queries';
import { type CheckAttempt, VerdictEvidence } from '../schema';
import { assemble, toKept } from './assemble';
import { evidenceKey } from './evidence-key';
import { type EvidenceOf, isInStorage, readAttempts, readVerdicts } from './queries';
import type { KeptAttempt } from './secrets';

/** The maximum number of verdicts that are returned. An incident has an opening and a resolution, and may have more after it was reopened. */
const MOST_VERDICTS = 10;

/** The maximum size of all returned attempts. An attempt has up to 160 KiB, and a verdict up to 40 attempts. */
const MOST_SHOWN = 512 * 1024;
const ATTEMPTS_AT_ONCE = 5;

/**
 * Returns a function that removes the exchanges and rules of an attempt if it exceeds what is left of `most` characters. The first one stays whole.
 */
function shortener(most: number) {
  let left = most;
  return (attempt: CheckAttempt, size: number): CheckAttempt => {
    if (size > left && left < most) return { ...attempt, exchanges: [], rules: [] };
    left -= size;
    return attempt;
  };
}

/** Reads evidence from the object storage; empty if the object is missing. Parses it in turn with the work of other teams. */
async function loadStored(row: EvidenceOf, most: number): Promise<VerdictEvidence[]> {
  const key = evidenceKey(row.incident.teamId, row);
  const stored = await storage.get(key).catch((error: unknown) => {
    log.warn({ err: error, key }, 'Evidence could not be read from the object storage');
    throw new AppError('STORAGE_UNAVAILABLE', 'The object storage cannot be reached. Try again later.');
  });
  if (!stored) return [];
  await takeLoopTurn(row.incident.teamId);
  const evidence = VerdictEvidence.parse(JSON.parse(Buffer.from(stored.bytes).toString('utf8')));
  if (stored.bytes.length <= most) return [evidence];
  const shorten = shortener(most);
  const attempts = evidence.attempts.map((attempt) => shorten(attempt, JSON.stringify(attempt).length));
  return [{ ...evidence, attempts }];
}

/** Reads evidence from where it is stored: the object storage, or else the database. */
async function load(db: Db, row: EvidenceOf, most: number): Promise<VerdictEvidence[]> {
  if (row.storedAt !== null) return loadStored(row, most);
  const shorten = shortener(most);
  const kept: KeptAttempt[] = [];
  for (let isMore = true; isMore; ) {
    const some = await readAttempts(db, row.id, { skip: kept.length, take: ATTEMPTS_AT_ONCE });
    await takeLoopTurn(row.incident.teamId);
    for (const { content } of some) {
      const { attempt, lastGood } = toKept(content);
      kept.push({ attempt: shorten(attempt, content.length), lastGood });
    }
    isMore = some.length === ATTEMPTS_AT_ONCE;
  }
  // A job may have moved the attempts meanwhile.
  return (await isInStorage(db, row.id)) ? loadStored(row, most) : [await assemble(db, row, kept)];
}

/**
 * Returns the evidence of the verdicts that opened and resolved an incident, oldest first; empty for a manual incident. If they are large, some
 * attempts of each verdict have no exchanges and rules.
 * @throws AppError NOT_FOUND, STORAGE_UNAVAILABLE (the object storage is unreachable)
 */
export async function readEvidence({ ctx, input }: OnOneObject): Promise<{ evidence: VerdictEvidence[] }> {
  const { team, db } = ctx;
  const incident = await db.incident.findFirst({ where: { id: input.id, teamId: team.id }, select: { id: true } });
  if (!incident) throw incidentNotFound();
  const rows = await readVerdicts(db, incident.id, MOST_VERDICTS);
  const evidence: VerdictEvidence[] = [];
  for (const row of rows) evidence.push(...(await load(db, row, MOST_SHOWN / rows.length)));
  return { evidence };
}
