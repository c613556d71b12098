import type { CheckRow } from '@/server/history/monitor/to-check';
import type { Finding } from '../finding';

/** The maximum of the column, in milliseconds. Runs of more than three weeks are recorded with this length. */
export const LONGEST_MS = 2_147_483_647;

const whole = (ms: number | null | undefined) => (ms === null || ms === undefined ? null : Math.round(ms));

export function toCheckRow({ at, observation, verdict }: Finding, region: string): CheckRow {
  const timings = observation?.timings;
  return {
    at,
    region,
    status: verdict.status,
    latencyMs: observation?.outcome === 'ok' ? whole(observation.latencyMs) : null,
    dnsMs: whole(timings?.dnsMs),
    connectMs: whole(timings?.connectMs),
    tlsMs: whole(timings?.tlsMs),
    firstByteMs: whole(timings?.firstByteMs),
    downloadMs: whole(timings?.downloadMs),
    statusCode: observation?.statusCode ?? null,
    error: verdict.error,
  };
}
