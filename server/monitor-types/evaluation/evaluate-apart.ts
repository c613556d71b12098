import { evaluate, rulesOf } from '@/server/monitor-types/evaluate';
import { isUpsideDown } from '@/server/monitor-types/is-upside-down';
import type { Verdict } from '@/server/monitor-types/probing/observation';
import { newTrace } from '@/server/monitor-types/probing/trace';
import type { Rule } from '@/server/monitor-types/verdict';
import { runBounded } from '@/server/platform/bounded/run-bounded';
import { LimitError } from '@/server/platform/bounded/task';
import { type EvaluationInput, evaluateTask, explainTask, mayTakeLong } from './tasks';

/** Returns the input without the trace, because the rules do not need it and the thread would get a copy. */
const withoutTrace = ({ observation, ...question }: EvaluationInput) => ({
  ...question,
  observation: { ...observation, trace: newTrace() },
});

/**
 * Like `evaluate`, but runs users' patterns and JSON paths in a thread that is terminated after 500 ms of CPU time. The verdict is then down, or
 * unknown if the monitor is upside down.
 * @throws the signal's reason
 */
export async function evaluateApart(question: EvaluationInput, team: string, signal: AbortSignal): Promise<Verdict> {
  if (!mayTakeLong(question)) return evaluate(question.target, question.observation, question.at);
  try {
    return await runBounded(evaluateTask, withoutTrace(question), { team, signal });
  } catch (error) {
    if (!(error instanceof LimitError)) throw error;
    // Of a monitor that is upside down, it is neither the expected failure nor a success.
    const status = isUpsideDown(question.target.config) ? 'unknown' : 'down';
    return { status, error: `The assertions could not be evaluated within ${error.limit}` };
  }
}

/**
 * Like `rulesOf`, with the same thread and limit as `evaluateApart`. Returns no rules if the limit is exceeded, because the verdict then states that.
 */
export async function rulesApart(question: EvaluationInput, team: string, signal: AbortSignal): Promise<Rule[]> {
  if (!mayTakeLong(question)) return rulesOf(question.target, question.observation, question.at);
  try {
    return await runBounded(explainTask, withoutTrace(question), { team, signal });
  } catch (error) {
    if (!(error instanceof LimitError)) throw error;
    return [];
  }
}
