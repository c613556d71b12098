import { encodeTime } from 'ulid';
import type { CheckResult } from '@/server/monitor-types/probing/observation';
import type { Check } from '@/server/monitor-types/schema';
import { sha256 } from '@/server/platform/crypto';

/** A check as it is stored, with times in whole milliseconds. `latencyMs` is null without a successful response. */
export interface CheckRow {
  at: Date;
  region: string;
  status: Check['status'];
  latencyMs: number | null;
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  firstByteMs: number | null;
  downloadMs: number | null;
  statusCode: number | null;
  error: string | null;
}

/** The maximum of the columns, in milliseconds. Runs of more than three weeks are recorded with this length. */
export const LONGEST_MS = 2_147_483_647;

const whole = (ms: number | null | undefined) => (ms === null || ms === undefined ? null : Math.round(ms));

/** Maps the result of a check to the stored form. */
export function toCheckRow({ at, observation, verdict }: CheckResult, region: string): CheckRow {
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

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const RANDOM_CHARACTERS = 16;

/** Derives a check's ID from its monitor, region and time, so that it needs no column. It is a ULID, which sorts by time. */
function checkId(monitorId: string, { at, region }: CheckRow): string {
  const digest = sha256(`${monitorId} ${region}`);
  const rest = Array.from({ length: RANDOM_CHARACTERS }, (_, index) => {
    return CROCKFORD[Number.parseInt(digest.slice(2 * index, 2 * index + 2), 16) % CROCKFORD.length];
  });
  return encodeTime(at.getTime()) + rest.join('');
}

/** Maps a stored check to the API form. */
export function toCheck(monitorId: string, row: CheckRow): Check {
  const { at, region, status, latencyMs, dnsMs, connectMs, tlsMs, firstByteMs, downloadMs, statusCode, error } = row;
  return {
    id: checkId(monitorId, row),
    monitorId,
    region,
    at: at.toISOString(),
    status,
    latencyMs,
    timings: { dnsMs, connectMs, tlsMs, firstByteMs, downloadMs },
    statusCode,
    error,
  };
}
