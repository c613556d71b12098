import { compileExpressions, expressionsOf } from '@/server/monitor-types/config/expressions';
import { runBounded } from '@/server/platform/bounded/run-bounded';
import { defineTask, LimitError } from '@/server/platform/bounded/task';
import { AppError, invalidField } from '@/server/platform/errors';

/** Compiles the expressions of a config. */
export const compileTask = defineTask({
  name: 'compile-expressions',
  run: compileExpressions,
  budgetMs: 250,
  maxInputBytes: 2 * 1024 * 1024,
  maxOutputBytes: 256 * 1024,
});

/**
 * Compiles a config's regular expressions, JSON paths and cron schedule in an evaluation thread: that can take seconds, which
 * may not stop the process. Called outside of transactions, with a config that its schema has accepted or is about to judge.
 *
 * @throws AppError VALIDATION_ERROR at the expression that is wrong or too large
 */
export async function assertExpressions(teamId: string, config: object): Promise<void> {
  const expressions = expressionsOf(config);
  if (expressions.length === 0) return;
  try {
    const faults = await runBounded(compileTask, expressions, { team: teamId });
    if (faults[0]) throw new AppError('VALIDATION_ERROR', faults[0].message, { issues: faults });
  } catch (error) {
    if (!(error instanceof LimitError)) throw error;
    const [only] = expressions.length === 1 ? expressions : [];
    if (only?.kind === 'cron') {
      throw invalidField(only.path, `Simplify this schedule: computing its run times takes more than ${error.limit}.`);
    }
    throw invalidField(
      only?.path ?? 'config.assertions',
      `Shorten the expressions: compiling them takes more than ${error.limit}.`,
    );
  }
}
