import { expressionsOf } from '@/server/monitors/config/expressions';
import type { Verdict } from '@/server/monitors/probing/observation';
import { newTrace } from '@/server/monitors/probing/trace';
import { evaluate } from '@/server/monitors/types/evaluate';
import { rulesOf } from '@/server/monitors/types/rules';
import type { Rule } from '@/server/monitors/types/verdict';
import { askThread, type EvaluateQuestion, EvaluationLimitError } from './evaluation-threads';

/** Ten times what an ordinary pattern takes over 1 MiB, for busy machines. */
const BUDGET_MS = 500;

/** Only patterns and JSON paths that users wrote can take long, and only over an answer. */
function mayTakeLong({ target, observation }: Omit<EvaluateQuestion, 'kind'>): boolean {
  return observation.outcome === 'ok' && expressionsOf(target.config).length > 0;
}

/** The rules need no trace, and a thread gets a copy of all it is sent. */
const withoutTrace = ({ observation, ...question }: Omit<EvaluateQuestion, 'kind'>) => ({
  ...question,
  observation: { ...observation, trace: newTrace() },
});

/**
 * `evaluate`, but users' patterns and JSON paths are evaluated in a thread that is ended when they take longer than 500 ms:
 * such a verdict is down. Rejects where `signal` aborts before a thread is free.
 */
export async function evaluateApart(
  question: Omit<EvaluateQuestion, 'kind'>,
  teamId: string,
  signal: AbortSignal,
): Promise<Verdict> {
  const { target, observation, at } = question;
  if (!mayTakeLong(question)) return evaluate(target, observation, at);
  try {
    return await askThread(
      { kind: 'evaluate', ...withoutTrace(question) },
      { share: { team: teamId }, budgetMs: BUDGET_MS, signal },
    );
  } catch (error) {
    if (!(error instanceof EvaluationLimitError)) throw error;
    return { status: 'down', error: `The assertions could not be evaluated within ${error.limit}` };
  }
}

/** `rulesOf` where that takes no time, as within a transaction; none where it may. */
export function rulesAtOnce(question: Omit<EvaluateQuestion, 'kind'>): Rule[] {
  return mayTakeLong(question) ? [] : rulesOf(question.target, question.observation, question.at);
}

/** `rulesOf`, in the same way as `evaluateApart`. None where they take longer: then the verdict says so. */
export async function rulesApart(
  question: Omit<EvaluateQuestion, 'kind'>,
  teamId: string,
  signal: AbortSignal,
): Promise<Rule[]> {
  const { target, observation, at } = question;
  if (!mayTakeLong(question)) return rulesOf(target, observation, at);
  try {
    const explain = { kind: 'explain' as const, ...withoutTrace(question) };
    return await askThread(explain, { share: { team: teamId }, budgetMs: BUDGET_MS, signal });
  } catch (error) {
    if (!(error instanceof EvaluationLimitError)) throw error;
    return [];
  }
}
