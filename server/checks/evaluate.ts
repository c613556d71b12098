import type { HttpConfig, TypedConfig } from '@/server/monitors/schema';
import { firstUnmet } from './assertions';
import type { Observation, Verdict } from './types';

const UP: Verdict = { status: 'up', error: null };
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
  return UP;
}

/** What an observation comes to under a monitor's config. Pure: the same two always give the same verdict. */
export function evaluate({ type, config }: TypedConfig, observation: Observation): Verdict {
  const { outcome, error } = observation;
  if (outcome === 'unknown') return { status: 'unknown', error };
  if (outcome === 'failed') return down(error ?? 'The check failed');
  switch (type) {
    case 'http':
      return evaluateHttp(config, observation);
    case 'tcp':
      return UP;
    default:
      return type satisfies never;
  }
}
