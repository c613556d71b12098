import { expressionsOf } from '@/server/monitor-types/config/expressions';
import { evaluate, rulesOf } from '@/server/monitor-types/evaluate';
import type { HttpAnswer } from '@/server/monitor-types/http/answer';
import { readsMuch } from '@/server/monitor-types/http/readable';
import type { Observation } from '@/server/monitor-types/probing/observation';
import type { CheckedConfig } from '@/server/monitor-types/schema';
import { defineTask } from '@/server/platform/bounded/task';

export interface EvaluationInput {
  target: CheckedConfig;
  observation: Observation;
  at: Date;
}

/** Whether an evaluation may take long: only users' patterns, JSON paths and many assertions about a long body can, and only on a response. */
export function mayTakeLong({ target, observation }: EvaluationInput): boolean {
  // The probe has judged its steps.
  if (observation.outcome !== 'ok' || target.type === 'multistep') return false;
  if (expressionsOf(target.config).length > 0) return true;
  return target.type === 'http' && readsMuch(target.config.assertions, observation.evidence as HttpAnswer | null);
}

const limits = {
  /** Ten times what an ordinary pattern needs for 1 MiB, for busy machines. */
  budgetMs: 500,
  maxInputBytes: 8 * 1024 * 1024,
  maxOutputBytes: 256 * 1024,
};

/** The task that runs `evaluate` on a response. */
export const evaluateTask = defineTask({
  name: 'evaluate',
  run: ({ target, observation, at }: EvaluationInput) => evaluate(target, observation, at),
  ...limits,
});

/** The task that runs `rulesOf` on a response. */
export const explainTask = defineTask({
  name: 'explain',
  run: ({ target, observation, at }: EvaluationInput) => rulesOf(target, observation, at),
  ...limits,
});
