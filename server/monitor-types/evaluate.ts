import type { CheckedConfig, CheckedType } from '@/server/monitor-types/schema';
import type { ConfigOf } from './definitions';
import { evaluateDns } from './dns/evaluate';
import { evaluateHttp } from './http/evaluate';
import { evaluatePing } from './ping/evaluate';
import type { EvidenceOf } from './probes';
import type { Observation, Verdict } from './probing/observation';
import { evaluateSmtp } from './smtp/evaluate';
import { evaluateTls } from './tls/evaluate';
import { down, UP } from './verdict';

type Evaluate<T extends CheckedType> = (
  config: ConfigOf<T>,
  observation: Observation<EvidenceOf<T>>,
  at: Date,
) => Verdict;

/** The verdict of a successful exchange by the rules of each type. */
const rules: { [T in CheckedType]: Evaluate<T> } = {
  http: evaluateHttp,
  tcp: () => UP,
  ping: evaluatePing,
  dns: evaluateDns,
  tls: evaluateTls,
  websocket: () => UP,
  grpc: () => UP,
  smtp: evaluateSmtp,
};

/**
 * The verdict on an observation under a monitor's config. Pure: the same arguments always give the same verdict.
 * @param at the start of the check
 */
export function evaluate(target: CheckedConfig, observation: Observation, at: Date): Verdict;
export function evaluate<T extends CheckedType>(
  { type, config }: { type: T; config: ConfigOf<T> },
  observation: Observation<EvidenceOf<T>>,
  at: Date,
): Verdict {
  const { outcome, error } = observation;
  if (outcome === 'unknown') return { status: 'unknown', error };
  if (outcome === 'failed') return down(error ?? 'The check failed');
  return rules[type](config, observation, at);
}
