import { evaluate } from '@/server/monitor-types/evaluate';
import type { Verdict } from '@/server/monitor-types/probing/observation';
import { newTrace } from '@/server/monitor-types/probing/trace';
import { rulesOf } from '@/server/monitor-types/rules';
import type { Rule } from '@/server/monitor-types/verdict';
import { runBounded } from '@/server/platform/bounded/run-bounded';
import { LimitError } from '@/server/platform/bounded/task';
import { type EvaluationInput, evaluateTask, explainTask, mayTakeLong } from './tasks';

/** The rules need no trace, and a thread gets a copy of all it is sent. */
const withoutTrace = ({ observation, ...question }: EvaluationInput) => ({
  ...question,
  observation: { ...observation, trace: newTrace() },
});

/**
 * `evaluate`, but users' patterns and JSON paths are evaluated in a thread that is terminated when they take longer than 500 ms:
 * such a verdict is down. Rejects if `signal` aborts first.
 */
export async function evaluateApart(question: EvaluationInput, team: string, signal: AbortSignal): Promise<Verdict> {
  if (!mayTakeLong(question)) return evaluate(question.target, question.observation, question.at);
  try {
    return await runBounded(evaluateTask, withoutTrace(question), { team, signal });
  } catch (error) {
    if (!(error instanceof LimitError)) throw error;
    return { status: 'down', error: `The assertions could not be evaluated within ${error.limit}` };
  }
}

/** `rulesOf`, in the same way as `evaluateApart`. None if they take longer: then the verdict says so. */
export async function rulesApart(question: EvaluationInput, team: string, signal: AbortSignal): Promise<Rule[]> {
  if (!mayTakeLong(question)) return rulesOf(question.target, question.observation, question.at);
  try {
    return await runBounded(explainTask, withoutTrace(question), { team, signal });
  } catch (error) {
    if (!(error instanceof LimitError)) throw error;
    return [];
  }
}
