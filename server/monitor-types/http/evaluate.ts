import type { Observation, Verdict } from '@/server/monitor-types/probing/observation';
import { down, type Rule, UP } from '../verdict';
import type { HttpAnswer } from './answer';
import { assertionRules, firstUnmet } from './assertions';
import type { HttpConfig } from './definition';

/** The fraction of the degraded threshold up to which a response is clearly fast. */
const CLEARLY_FAST = 0.9;

function isExpected(statusCode: number, ranges: string[]): boolean {
  return ranges.some((range) => {
    const [from, to = from] = range.split('-');
    return statusCode >= Number(from) && statusCode <= Number(to);
  });
}

export function evaluateHttp(config: HttpConfig, { evidence: answer, latencyMs }: Observation<HttpAnswer>): Verdict {
  if (!answer) return down('There was no response');
  const { expectedStatus, assertions, degradedAfterMs } = config;
  const assertsStatus = assertions.some(({ source }) => source === 'status');
  if (!assertsStatus && !isExpected(answer.statusCode, expectedStatus)) {
    return down(`Expected status ${expectedStatus.join(', ')}, got ${answer.statusCode}`);
  }
  const unmet = firstUnmet(assertions, answer, latencyMs, config.saveResponseBody);
  if (unmet !== null) return down(unmet);
  if (degradedAfterMs !== undefined && latencyMs > degradedAfterMs) {
    return { status: 'degraded', error: `Responded in ${Math.round(latencyMs)} ms, more than ${degradedAfterMs} ms` };
  }
  const isNearlySlow = degradedAfterMs !== undefined && latencyMs > degradedAfterMs * CLEARLY_FAST;
  return isNearlySlow ? { ...UP, isNearlySlow } : UP;
}

export function httpRules(config: HttpConfig, { evidence: answer, latencyMs }: Observation<HttpAnswer>): Rule[] {
  if (!answer) return [];
  const { expectedStatus, assertions, degradedAfterMs } = config;
  const { statusCode } = answer;
  const status = { rule: `status ${expectedStatus.join(', ')}`, value: String(statusCode) };
  const assertsStatus = assertions.some(({ source }) => source === 'status');
  const limit = degradedAfterMs ?? Number.POSITIVE_INFINITY;
  return [
    ...(assertsStatus ? [] : [{ ...status, isMet: isExpected(statusCode, expectedStatus) }]),
    ...assertionRules(assertions, answer, latencyMs, config.saveResponseBody),
    ...(degradedAfterMs === undefined
      ? []
      : [{ rule: `response time ≤ ${limit} ms`, value: `${Math.round(latencyMs)} ms`, isMet: latencyMs <= limit }]),
  ];
}
