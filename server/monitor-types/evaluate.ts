import type { CheckedConfig, CheckedType } from '@/server/monitor-types/schema';
import type { ConfigOf } from './definitions';
import { dnsRules, evaluateDns } from './dns/evaluate';
import { domainRules, evaluateDomain } from './domain/evaluate';
import { evaluateHttp, httpRules, isUndecided } from './http/evaluate';
import { isUpsideDown } from './is-upside-down';
import { evaluateMqtt, mqttRules } from './mqtt/evaluate';
import { evaluateMultistep, multistepRules } from './multistep/evaluate';
import { evaluatePing, pingRules } from './ping/evaluate';
import type { EvidenceOf } from './probes';
import type { Observation, Verdict } from './probing/observation';
import { evaluateRedis, redisRules } from './redis/evaluate';
import { evaluateSmtp, smtpRules } from './smtp/evaluate';
import { evaluateQuery, queryRules } from './sql/evaluate';
import { evaluateSsh, sshRules } from './ssh/evaluate';
import { evaluateTls, tlsRules } from './tls/evaluate';
import { down, type Rule, UP } from './verdict';

type Judge<T extends CheckedType, Result> = (
  config: ConfigOf<T>,
  observation: Observation<EvidenceOf<T>>,
  at: Date,
) => Result;

interface Judges<T extends CheckedType> {
  evaluate: Judge<T, Verdict>;
  rules: Judge<T, Rule[]>;
  /** Whether "down" means that a rule could not be decided, which is no expected failure either. */
  isUndecided?: Judge<T, boolean>;
}

/**
 * For each type, the functions that judge a successful exchange, and that list its rules with their values. A type whose probe already decides
 * whether the exchange succeeded has no rules.
 */
const judges: { [T in CheckedType]?: Judges<T> } = {
  http: { evaluate: evaluateHttp, rules: httpRules, isUndecided },
  ping: { evaluate: evaluatePing, rules: pingRules },
  dns: { evaluate: evaluateDns, rules: dnsRules },
  tls: { evaluate: evaluateTls, rules: tlsRules },
  domain: { evaluate: evaluateDomain, rules: domainRules },
  smtp: { evaluate: evaluateSmtp, rules: smtpRules },
  redis: { evaluate: evaluateRedis, rules: redisRules },
  postgresql: { evaluate: evaluateQuery, rules: queryRules },
  mysql: { evaluate: evaluateQuery, rules: queryRules },
  mqtt: { evaluate: evaluateMqtt, rules: mqttRules },
  ssh: { evaluate: evaluateSsh, rules: sshRules },
  multistep: { evaluate: evaluateMultistep, rules: multistepRules },
};

/** Returns the verdict on the observation of a monitor that is not upside down. */
function judge<T extends CheckedType>(
  { type, config }: { type: T; config: ConfigOf<T> },
  observation: Observation<EvidenceOf<T>>,
  at: Date,
): Verdict {
  if (observation.outcome === 'failed') return down(observation.error ?? 'The check failed');
  return judges[type]?.evaluate(config, observation, at) ?? UP;
}

const MUST_FAIL = 'The check succeeded, but it is expected to fail';

/**
 * Returns the verdict on an observation under a monitor's config. Pure: the same arguments always give the same verdict.
 * @param at the start of the check
 */
export function evaluate(target: CheckedConfig, observation: Observation, at: Date): Verdict;
export function evaluate<T extends CheckedType>(
  target: { type: T; config: ConfigOf<T> },
  observation: Observation<EvidenceOf<T>>,
  at: Date,
): Verdict {
  const { outcome, error } = observation;
  if (outcome === 'unknown') return { status: 'unknown', error };
  const verdict = judge(target, observation, at);
  if (!isUpsideDown(target.config)) return verdict;
  if (verdict.status !== 'down') return down(MUST_FAIL);
  const isOpen = judges[target.type]?.isUndecided?.(target.config, observation, at) ?? false;
  return isOpen ? { status: 'unknown', error: verdict.error } : UP;
}

/**
 * Returns every rule of a monitor with the value that it was applied to, in the order in which `evaluate` applies them. Empty for a failed exchange.
 * A monitor that is upside down has one rule: that the check fails. Pure.
 */
export function rulesOf(target: CheckedConfig, observation: Observation, at: Date): Rule[];
export function rulesOf<T extends CheckedType>(
  { type, config }: { type: T; config: ConfigOf<T> },
  observation: Observation<EvidenceOf<T>>,
  at: Date,
): Rule[] {
  if (isUpsideDown(config)) {
    if (observation.outcome === 'unknown') return [];
    const { status, error } = judge({ type, config }, observation, at);
    return [{ rule: 'the check fails', value: error ?? 'it succeeded', isMet: status === 'down' }];
  }
  const isSeen = observation.outcome === 'ok' || observation.evidence !== null;
  return (isSeen && judges[type]?.rules(config, observation, at)) || [];
}
