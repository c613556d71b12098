import type { SeenCertificate, Timings } from '@/server/monitor-types/probing/observation';
import type { SeenConnection } from '@/server/monitor-types/probing/trace';
import type { Finding } from '../finding';
import type { Plan } from '../schedule/plan';

/** What a check that was up saw, without its body. */
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
/** Of what is kept of a monitor. Beyond that, its headers are left out: nothing else of it is as large. */
const MOST_CHARACTERS = 8 * 1024;

/** As JSON: one text of about a KB a monitor, where the objects of a check take ten times that. */
const kept = new Map<string, { version: number; json: string }>();

const isTime = /^(at|validFrom|validTo)$/;
const revive = (key: string, value: unknown) => (isTime.test(key) ? new Date(value as string) : value);

/** Keeps what a check that was up saw, in this process: it costs no statement. */
export function keepLastGood({ monitor }: Plan, { at, observation }: Finding, region: string): void {
  if (!observation) return;
  if (kept.size >= MOST_KEPT && !kept.has(monitor.id)) kept.clear();
  const { latencyMs, timings, statusCode, certificate, trace } = observation;
  const { addresses, connections, fingerprint, exchanges } = trace;
  const headers = exchanges.at(-1)?.response?.headers ?? null;
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

/** What this process's last check of this version of the monitor saw that was up. */
export function lastGoodOf({ monitor }: Plan): LastGood | null {
  const last = kept.get(monitor.id);
  return last?.version === monitor.version ? (JSON.parse(last.json, revive) as LastGood) : null;
}
