import type { Observation, Verdict } from '@/server/monitor-types/probing/observation';
import { speedRules, speedVerdict } from '../http/evaluate';
import { down, type Rule } from '../verdict';
import type { MultistepConfig } from './definition';

/** The judgement on the steps of a check, as far as it went. */
export interface MultistepAnswer {
  /** Why a step did not pass; null if all did. */
  fault: string | null;
  rules: Rule[];
}

export function evaluateMultistep(
  { degradedAfterMs }: MultistepConfig,
  { evidence, latencyMs }: Observation<MultistepAnswer>,
): Verdict {
  if (!evidence) return down('There was no response');
  return evidence.fault === null ? speedVerdict(degradedAfterMs, latencyMs) : down(evidence.fault);
}

export function multistepRules(
  { degradedAfterMs }: MultistepConfig,
  { outcome, evidence, latencyMs }: Observation<MultistepAnswer>,
): Rule[] {
  const isWhole = outcome === 'ok' && evidence?.fault === null;
  return [...(evidence?.rules ?? []), ...(isWhole ? speedRules(degradedAfterMs, latencyMs) : [])];
}
