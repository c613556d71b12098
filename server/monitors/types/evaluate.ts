import type { CheckedConfig, DnsConfig, HttpConfig, PingConfig, TlsConfig } from '@/server/monitors/schema';
import type { Observation, Verdict } from '../probing/observation';
import { endsSoon, inWords } from './certificate-expiry';
import { recordsMiss } from './dns/records';
import { firstUnmet } from './http/assertions';

const UP: Verdict = { status: 'up', error: null };
/** The share of what is degraded that an answer may take to be fast beyond doubt. */
const CLEARLY_FAST = 0.9;
const down = (error: string): Verdict => ({ status: 'down', error });

function isExpected(statusCode: number, ranges: string[]): boolean {
  return ranges.some((range) => {
    const [from, to = from] = range.split('-');
    return statusCode >= Number(from) && statusCode <= Number(to);
  });
}

function evaluateHttp(config: HttpConfig, { answer, latencyMs }: Observation): Verdict {
  if (!answer) return down('There was no answer');
  const { expectedStatus, assertions, degradedAfterMs } = config;
  const assertsStatus = assertions.some(({ source }) => source === 'status');
  if (!assertsStatus && !isExpected(answer.statusCode, expectedStatus)) {
    return down(`Expected status ${expectedStatus.join(', ')}, got ${answer.statusCode}`);
  }
  const unmet = firstUnmet(assertions, answer, latencyMs);
  if (unmet !== null) return down(unmet);
  if (degradedAfterMs !== undefined && latencyMs > degradedAfterMs) {
    return { status: 'degraded', error: `Answered in ${Math.round(latencyMs)} ms, more than ${degradedAfterMs} ms` };
  }
  const isNearlySlow = degradedAfterMs !== undefined && latencyMs > degradedAfterMs * CLEARLY_FAST;
  return isNearlySlow ? { ...UP, isNearlySlow } : UP;
}

function evaluatePing({ maxLossPercent }: PingConfig, { packets }: Observation): Verdict {
  if (!packets || packets.received === 0) return down(`None of ${packets?.sent ?? 0} packets came back`);
  const lost = packets.sent - packets.received;
  if (lost * 100 <= maxLossPercent * packets.sent) return UP;
  return down(`${lost} of ${packets.sent} packets were lost, more than ${maxLossPercent} %`);
}

function evaluateDns({ recordType, expect }: DnsConfig, { records }: Observation): Verdict {
  const miss = expect ? recordsMiss(recordType, records ?? [], expect) : null;
  return miss === null ? UP : down(miss);
}

function evaluateTls({ warnDays }: TlsConfig, { certificate }: Observation, at: Date): Verdict {
  if (!certificate) return down('There was no certificate');
  if (certificate === 'unreadable') return down('The dates of the certificate cannot be read');
  const { validTo } = certificate;
  return endsSoon(validTo, warnDays, at) ? { status: 'degraded', error: inWords(validTo, at) } : UP;
}

/**
 * What an observation comes to under a monitor's config. Pure: the same always give the same verdict.
 *
 * @param at when the check began
 */
export function evaluate({ type, config }: CheckedConfig, observation: Observation, at: Date): Verdict {
  const { outcome, error } = observation;
  if (outcome === 'unknown') return { status: 'unknown', error };
  if (outcome === 'failed') return down(error ?? 'The check failed');
  switch (type) {
    case 'http':
      return evaluateHttp(config, observation);
    case 'ping':
      return evaluatePing(config, observation);
    case 'dns':
      return evaluateDns(config, observation);
    case 'tls':
      return evaluateTls(config, observation, at);
    case 'tcp':
    case 'websocket':
    case 'grpc':
      return UP;
    default:
      return type satisfies never;
  }
}
