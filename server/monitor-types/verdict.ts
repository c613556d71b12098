import type { Verdict } from './probing/observation';

/** A rule of a monitor, the value it was applied to (null: there was none), and whether the value is within it. */
export interface Rule {
  rule: string;
  value: string | null;
  isMet: boolean;
}

export const UP: Verdict = { status: 'up', error: null };

/** @param error why, in plain words */
export const down = (error: string): Verdict => ({ status: 'down', error });

/** What causes and rules say in place of an excerpt of a response that the monitor does not save. */
export const NOT_SAVED = 'a value that is not saved';
