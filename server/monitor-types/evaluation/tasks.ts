import { expressionsOf } from '@/server/monitor-types/config/expressions';
import { evaluate, rulesOf } from '@/server/monitor-types/evaluate';
import type { Observation } from '@/server/monitor-types/probing/observation';
import type { CheckedConfig } from '@/server/monitor-types/schema';
import { defineTask } from '@/server/platform/bounded/task';

export interface EvaluationInput {
  target: CheckedConfig;
  observation: Observation;
  at: Date;
}

/** Only users' patterns and JSON paths can take long, and only on a response. */
export const mayTakeLong = ({ target, observation }: EvaluationInput): boolean =>
  observation.outcome === 'ok' && expressionsOf(target.config).length > 0;

const limits = {
  /** Ten times what an ordinary pattern needs for 1 MiB, for busy machines. */
  budgetMs: 500,
  maxInputBytes: 8 * 1024 * 1024,
  maxOutputBytes: 256 * 1024,
};

/** Runs `evaluate` on a response. */
export const evaluateTask = defineTask({
  name: 'evaluate',
  run: ({ target, observation, at }: EvaluationInput) => evaluate(target, observation, at),
  ...limits,
});

/** Runs `rulesOf` on a response. */
export const explainTask = defineTask({
  name: 'explain',
  run: ({ target, observation, at }: EvaluationInput) => rulesOf(target, observation, at),
  ...limits,
});
