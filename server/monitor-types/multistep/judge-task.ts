import { defineTask } from '@/server/platform/bounded/task';
import { assertionExpressions } from '../http/expressions';
import { readsMuch } from '../http/readable';
import { judgeStep, type StepQuestion } from './judge';

/** Only users' patterns, JSON paths and many assertions about a long body can take long. */
const isSmall = ({ step, answer }: StepQuestion): boolean =>
  step.extract.every(({ from }) => from === 'header') &&
  assertionExpressions(step, '').length === 0 &&
  !readsMuch(step.assertions, answer);

/** Runs `judgeStep`, with the limits of `evaluate`. */
export const judgeStepTask = defineTask({
  name: 'judge-step',
  run: (question: StepQuestion) => judgeStep(question),
  budgetMs: 500,
  maxInputBytes: 2 * 1024 * 1024,
  maxOutputBytes: 1024 * 1024,
  isSmall,
});
