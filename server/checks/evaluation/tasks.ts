import { expressionsOf } from '@/server/monitors/config/expressions';
import type { Observation } from '@/server/monitors/probing/observation';
import type { CheckedConfig } from '@/server/monitors/schema';
import { evaluate } from '@/server/monitors/types/evaluate';
import { rulesOf } from '@/server/monitors/types/rules';
import { defineTask } from '@/server/platform/bounded/task';

export interface EvaluationInput {
  target: CheckedConfig;
  observation: Observation;
  at: Date;
}

/** Only patterns and JSON paths that users wrote can take long, and only over an answer. */
export const mayTakeLong = ({ target, observation }: EvaluationInput): boolean =>
  observation.outcome === 'ok' && expressionsOf(target.config).length > 0;

const limits = {
  /** Ten times what an ordinary pattern takes over 1 MiB, for busy machines. */
  budgetMs: 500,
  maxInputBytes: 8 * 1024 * 1024,
  maxOutputBytes: 256 * 1024,
};

/** `evaluate` over an answer. */
export const evaluateTask = defineTask({
  name: 'evaluate',
  run: ({ target, observation, at }: EvaluationInput) => evaluate(target, observation, at),
  ...limits,
});

/** `rulesOf` over an answer. */
export const explainTask = defineTask({
  name: 'explain',
  run: ({ target, observation, at }: EvaluationInput) => rulesOf(target, observation, at),
  ...limits,
});
