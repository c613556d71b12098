/** What one check of the doctor found. An error keeps Upwatch from working; a note may be intended. */
export interface Finding {
  level: 'ok' | 'note' | 'error';
  check: string;
  message: string;
  /** What to do about it. */
  advice?: string;
}

type Problem = Omit<Finding, 'check'> | false;

export const error = (message: string, advice: string): Problem => ({ level: 'error', message, advice });
export const note = (message: string, advice: string): Problem => ({ level: 'note', message, advice });

/** Returns the findings of a check: its problems, or one that says what is fine. */
export function findings(check: string, fine: string, ...problems: Problem[]): Finding[] {
  const found = problems.filter((problem) => problem !== false).map((problem) => ({ check, ...problem }));
  return found.length > 0 ? found : [{ check, level: 'ok', message: fine }];
}

/** Returns the displayed text of a thrown error. */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return reasonOf(thrown.errors[0]);
  const { message, code, cause } = thrown as { message?: string; code?: string; cause?: unknown };
  // The message of `fetch` is always the same.
  if (cause instanceof Error && message === 'fetch failed') return reasonOf(cause);
  return (message || code || String(thrown)).trim().replace(/\s*\n\s*/g, ' ');
}

/** Returns why a promise is rejected; null if it is fulfilled. */
export const failureOf = (work: Promise<unknown>): Promise<string | null> => work.then(() => null, reasonOf);
