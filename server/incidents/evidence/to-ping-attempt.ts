import type { CheckRow } from '@/server/history/monitor/to-check';
import { plainLines } from '@/server/platform/plain-text';
import type { CheckAttempt } from '../schema';
import { type KeptAttempt, MOST_BODY } from './secrets';

/** The body of a heartbeat's last ping. */
export interface PingBody {
  at: Date;
  signal: string;
  body: string;
}

/** The state of a heartbeat before a ping: when the ping was due, and when the last one arrived; null if unknown. */
export interface AwaitedPing {
  deadline: Date | null;
  last: Date | null;
}

/** The tolerance when a stored body is matched to its ping: one statement stores both, but reads the clock twice. */
const SAME_PING_MS = 1_000;

const asUtc = (at: Date) => `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

function exchangesOf(ping: PingBody | null, at: Date): CheckAttempt['exchanges'] {
  if (!ping || Math.abs(ping.at.getTime() - at.getTime()) > SAME_PING_MS) return [];
  const text = plainLines(ping.body, MOST_BODY);
  const bytes = Buffer.byteLength(ping.body);
  return [
    {
      request: { line: `ping: ${ping.signal}`, headers: [] },
      response: null,
      body: { text, notStored: null, bytes, isTruncated: text.length < ping.body.length },
    },
  ];
}

/** Builds the evidence of a ping or a missed ping: the deadline as its rule, and the body if it belongs to this ping. */
export function toPingAttempt(check: CheckRow, { deadline, last }: AwaitedPing, ping: PingBody | null): KeptAttempt {
  const { at, region, status, error, latencyMs } = check;
  const exchanges = exchangesOf(ping, at);
  const came = exchanges.length > 0 || status === 'up' ? asUtc(at) : last && `none since ${asUtc(last)}`;
  const attempt: CheckAttempt = {
    at: at.toISOString(),
    region,
    status,
    error,
    latencyMs,
    statusCode: null,
    timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, downloadMs: null },
    addresses: [],
    connections: [],
    certificate: null,
    exchanges,
    rules: deadline
      ? [{ rule: `ping by ${asUtc(deadline)}`, value: came, isMet: at <= deadline && status === 'up' }]
      : [],
  };
  return { attempt, lastGood: null };
}
