import type { CheckResult, SeenCertificate, Timings } from '@/server/monitor-types/probing/observation';
import type { SeenConnection } from '@/server/monitor-types/probing/trace';
import type { CheckedMonitor } from './secrets';

/** What a successful check observed, without the body. */
export interface LastGood {
  version: number;
  region: string;
  at: Date;
  latencyMs: number;
  timings: Timings;
  statusCode: number | null;
  addresses: readonly { address: string }[];
  connections: SeenConnection[];
  certificate: SeenCertificate | null;
  fingerprint: string | null;
  headers: string[] | null;
}

const MOST_KEPT = 10_000;
/** The maximum size for one monitor. A larger observation is kept without its headers, because nothing else is as large. */
const MOST_CHARACTERS = 8 * 1024;

/** Stored as JSON: about 1 KB per monitor, a tenth of the objects. */
const kept = new Map<string, { version: number; json: string }>();

const isTime = /^(at|validFrom|validTo)$/;
const revive = (key: string, value: unknown) => (isTime.test(key) ? new Date(value as string) : value);

/**
 * Keeps the observation of a successful check as the last one of its monitor, from any region. Only this process's memory holds it, which saves a
 * query for each check.
 */
export function keepLastGood({ monitor }: CheckedMonitor, { at, observation }: CheckResult, region: string): void {
  if (!observation) return;
  if (kept.size >= MOST_KEPT && !kept.has(monitor.id)) kept.clear();
  const { latencyMs, timings, statusCode, certificate, trace } = observation;
  const { addresses, connections, fingerprint, exchanges } = trace;
  // Those of a check with steps may contain values that it took, which a later check does not know as secrets.
  const headers = trace.steps ? null : (exchanges.at(-1)?.response?.headers ?? null);
  const { version } = monitor;
  const last: LastGood = {
    version,
    region,
    at,
    latencyMs,
    timings,
    statusCode,
    certificate,
    addresses,
    connections,
    fingerprint,
    headers,
  };
  const json = JSON.stringify(last);
  kept.set(monitor.id, {
    version,
    json: json.length > MOST_CHARACTERS ? JSON.stringify({ ...last, headers: null }) : json,
  });
}

/** Returns what the last successful check of this version of the monitor in this process observed; null if none is kept. */
export function lastGoodOf({ monitor }: CheckedMonitor): LastGood | null {
  const last = kept.get(monitor.id);
  return last?.version === monitor.version ? (JSON.parse(last.json, revive) as LastGood) : null;
}
