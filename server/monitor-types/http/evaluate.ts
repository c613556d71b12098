import type { Observation, Verdict } from '@/server/monitor-types/probing/observation';
import { down, type Rule, UP } from '../verdict';
import type { HttpAnswer } from './answer';
import { assertionRules, firstUnmet } from './assertions';
import type { HttpConfig } from './definition';
import { whyUnread } from './readable';

/** The fraction of the degraded threshold up to which a response is clearly fast. */
const CLEARLY_FAST = 0.9;

function isExpected(statusCode: number, ranges: string[]): boolean {
  return ranges.some((range) => {
    const [from, to = from] = range.split('-');
    return statusCode >= Number(from) && statusCode <= Number(to);
  });
}

/** The part of a config that judges a response. */
export type HttpRules = Pick<HttpConfig, 'expectedStatus' | 'assertions' | 'saveResponseBody'>;

const assertsStatus = ({ assertions }: HttpRules) => assertions.some(({ source }) => source === 'status');

/** Why a response does not meet the rules of a config, as a sentence; null if it does. */
export function answerFault(config: HttpRules, answer: HttpAnswer, latencyMs: number): string | null {
  const { expectedStatus, assertions, saveResponseBody } = config;
  if (!assertsStatus(config) && !isExpected(answer.statusCode, expectedStatus)) {
    return `Expected status ${expectedStatus.join(', ')}, got ${answer.statusCode}`;
  }
  return firstUnmet(assertions, answer, latencyMs, saveResponseBody);
}

/** Every rule for a response with its value. */
export function answerRules(config: HttpRules, answer: HttpAnswer, latencyMs: number): Rule[] {
  const { expectedStatus, assertions, saveResponseBody } = config;
  const { statusCode } = answer;
  const status = {
    rule: `status ${expectedStatus.join(', ')}`,
    value: String(statusCode),
    isMet: isExpected(statusCode, expectedStatus),
  };
  return [
    ...(assertsStatus(config) ? [] : [status]),
    ...assertionRules(assertions, answer, latencyMs, saveResponseBody),
  ];
}

/** The verdict on a response that meets all rules, by its time. */
export function speedVerdict(degradedAfterMs: number | undefined, latencyMs: number): Verdict {
  if (degradedAfterMs === undefined) return UP;
  if (latencyMs > degradedAfterMs) {
    return { status: 'degraded', error: `Responded in ${Math.round(latencyMs)} ms, more than ${degradedAfterMs} ms` };
  }
  return latencyMs > degradedAfterMs * CLEARLY_FAST ? { ...UP, isNearlySlow: true } : UP;
}

/** The rule about the response time, if there is one. */
export function speedRules(degradedAfterMs: number | undefined, latencyMs: number): Rule[] {
  if (degradedAfterMs === undefined) return [];
  const value = `${Math.round(latencyMs)} ms`;
  return [{ rule: `response time ≤ ${degradedAfterMs} ms`, value, isMet: latencyMs <= degradedAfterMs }];
}

export function evaluateHttp(config: HttpConfig, { evidence: answer, latencyMs }: Observation<HttpAnswer>): Verdict {
  if (!answer) return down('There was no response');
  const fault = answerFault(config, answer, latencyMs);
  return fault === null ? speedVerdict(config.degradedAfterMs, latencyMs) : down(fault);
}

/** Whether a response meets all rules but those for its body, which could not be decided, because not all of it was read. */
export function isUndecided(config: HttpConfig, { evidence: answer, latencyMs }: Observation<HttpAnswer>): boolean {
  if (!answer || whyUnread(answer) === null) return false;
  const others = config.assertions.filter(({ source }) => source !== 'body' && source !== 'json');
  const readsBody = others.length < config.assertions.length;
  return readsBody && answerFault({ ...config, assertions: others }, answer, latencyMs) === null;
}

export function httpRules(config: HttpConfig, { evidence: answer, latencyMs }: Observation<HttpAnswer>): Rule[] {
  if (!answer) return [];
  return [...answerRules(config, answer, latencyMs), ...speedRules(config.degradedAfterMs, latencyMs)];
}
