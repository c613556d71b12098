import type { Db } from '@/server/platform/db';
import type { CheckAttempt, LastGoodCheck, VerdictEvidence } from '../schema';
import { changesSince } from './changes';
import type { EvidenceOf } from './queries';
import type { KeptAttempt } from './secrets';

/** Returns the last successful check before `first` in its region, from the stored results, which have fewer details. Null if there is none. */
async function readLastGood(db: Db, monitorNum: number, first: CheckAttempt): Promise<LastGoodCheck | null> {
  const row = await db.check.findFirst({
    where: { monitorNum, region: first.region, status: 'up', at: { lt: new Date(first.at) } },
    orderBy: { at: 'desc' },
  });
  if (!row) return null;
  const { at, region, latencyMs, dnsMs, connectMs, tlsMs, firstByteMs, downloadMs, statusCode } = row;
  return {
    at: at.toISOString(),
    region,
    latencyMs,
    timings: { dnsMs, connectMs, tlsMs, firstByteMs, downloadMs },
    statusCode,
    addresses: [],
    connections: [],
    certificate: null,
    headers: null,
  };
}

/** Returns the latest of the last good checks that workers attached to the attempts, preferably of the region of `first`. Null if there is none. */
function rememberedIn(kept: KeptAttempt[], first: CheckAttempt): LastGoodCheck | null {
  const known = kept.flatMap(({ lastGood }) => (lastGood && lastGood.at < first.at ? [lastGood] : []));
  const here = known.filter(({ region }) => region === first.region);
  return (here.length > 0 ? here : known).toSorted((a, b) => a.at.localeCompare(b.at)).at(-1) ?? null;
}

/** Parses the stored content of an attempt. */
export const toKept = (content: Uint8Array) => JSON.parse(Buffer.from(content).toString('utf8')) as KeptAttempt;

/** Combines the attempts of a verdict into one document. For an opened status incident, adds the last good check and what changed since. */
export async function assemble(
  db: Db,
  { kind, at, incident }: EvidenceOf,
  kept: KeptAttempt[],
): Promise<VerdictEvidence> {
  const [first] = kept;
  const isCompared = first !== undefined && kind === 'opened' && incident.type !== 'certificate';
  const lastGood = isCompared
    ? (rememberedIn(kept, first.attempt) ??
      (incident.monitor && (await readLastGood(db, incident.monitor.num, first.attempt))))
    : null;
  return {
    kind,
    at: at.toISOString(),
    lastGood,
    changes: lastGood && first ? changesSince(lastGood, first.attempt) : [],
    attempts: kept.map(({ attempt }) => attempt),
  };
}
