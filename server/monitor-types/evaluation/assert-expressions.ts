import { assertCertificates } from '@/server/monitor-types/config/assert-certificates';
import { compileExpressions, expressionsOf } from '@/server/monitor-types/config/expressions';
import type { Expression } from '@/server/monitor-types/definition';
import { isCron, longestGapSeconds } from '@/server/monitor-types/heartbeat/cron';
import { runBounded } from '@/server/platform/bounded/run-bounded';
import { defineTask, LimitError } from '@/server/platform/bounded/task';
import { AppError, invalidField } from '@/server/platform/errors';

/** The task that compiles the expressions of a config, and computes the longest time between two runs of its cron schedule, if it has a valid one. */
export const compileTask = defineTask({
  name: 'compile-expressions',
  run: (expressions: Expression[]) => {
    const faults = compileExpressions(expressions);
    const cron = expressions.find(({ kind }) => kind === 'cron')?.source;
    const isUsable = cron !== undefined && faults.length === 0 && isCron(cron);
    return { faults, cronSeconds: isUsable ? longestGapSeconds(cron) : null };
  },
  budgetMs: 250,
  maxInputBytes: 2 * 1024 * 1024,
  maxOutputBytes: 256 * 1024,
});

/**
 * Compiles a config's regular expressions, JSON paths and cron schedule in an evaluation thread, because that may take seconds and must not block
 * the process. Also reads its certificates. Call it outside of transactions.
 * @returns the longest time between two runs of the cron schedule, in seconds; null without a valid schedule
 * @throws AppError VALIDATION_ERROR at the expression that is invalid or too large, or the certificate that cannot be read
 */
export async function assertExpressions(teamId: string, config: object): Promise<number | null> {
  assertCertificates(config);
  const expressions = expressionsOf(config);
  if (expressions.length === 0) return null;
  try {
    const { faults, cronSeconds } = await runBounded(compileTask, expressions, { team: teamId });
    if (faults[0]) throw new AppError('VALIDATION_ERROR', faults[0].message, { issues: faults });
    return cronSeconds;
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
