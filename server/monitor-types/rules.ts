import type { CheckedConfig, CheckedType } from '@/server/monitor-types/schema';
import type { ConfigOf } from './definitions';
import { dnsRules } from './dns/evaluate';
import { httpRules } from './http/evaluate';
import { pingRules } from './ping/evaluate';
import type { EvidenceOf } from './probes';
import type { Observation } from './probing/observation';
import { smtpRules } from './smtp/evaluate';
import { tlsRules } from './tls/evaluate';
import type { Rule } from './verdict';

type RulesOf<T extends CheckedType> = (
  config: ConfigOf<T>,
  observation: Observation<EvidenceOf<T>>,
  at: Date,
) => Rule[];

const none = () => [];

/** The rules of each type that apply to a successful exchange, with their values. Types without any fail in their probe. */
const rules: { [T in CheckedType]: RulesOf<T> } = {
  http: httpRules,
  tcp: none,
  ping: pingRules,
  dns: dnsRules,
  tls: tlsRules,
  websocket: none,
  grpc: none,
  smtp: smtpRules,
};

/** Every rule of a monitor with the value that it was applied to, in the order in which `evaluate` applies them. Pure. */
export function rulesOf(target: CheckedConfig, observation: Observation, at: Date): Rule[];
export function rulesOf<T extends CheckedType>(
  { type, config }: { type: T; config: ConfigOf<T> },
  observation: Observation<EvidenceOf<T>>,
  at: Date,
): Rule[] {
  return observation.outcome === 'ok' ? rules[type](config, observation, at) : [];
}
