import { expressionsOf } from '@/server/monitor-types/config/expressions';
import { evaluate, rulesOf } from '@/server/monitor-types/evaluate';
import type { HttpAnswer } from '@/server/monitor-types/http/answer';
import type { Observation } from '@/server/monitor-types/probing/observation';
import type { CheckedConfig } from '@/server/monitor-types/schema';
import { defineTask } from '@/server/platform/bounded/task';

export interface EvaluationInput {
  target: CheckedConfig;
  observation: Observation;
  at: Date;
}

/** The maximum number of bytes of a body that assertions read on the caller's thread, for up to 20 ms. */
const MOST_READ = 1024 * 1024;

function bytesRead({ target, observation }: EvaluationInput): number {
  if (target.type !== 'http') return 0;
  const answer = observation.evidence as HttpAnswer | null;
  return (answer?.body.length ?? 0) * target.config.assertions.filter(({ source }) => source === 'body').length;
}

/** Whether an evaluation may take long: only users' patterns, JSON paths and many assertions about a long body can, and only on a response. */
export const mayTakeLong = (input: EvaluationInput): boolean =>
  input.observation.outcome === 'ok' && (expressionsOf(input.target.config).length > 0 || bytesRead(input) > MOST_READ);

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
