import type { Verdict } from './probing/observation';

/** A rule of a monitor, the value that it was applied to (null if there was none), and whether the value meets it. */
export interface Rule {
  rule: string;
  value: string | null;
  isMet: boolean;
  /** The step that it belongs to, from 0. */
  step?: number;
}

export const UP: Verdict = { status: 'up', error: null };

/**
 * Returns the verdict "down".
 * @param error the cause in plain text
 */
export const down = (error: string): Verdict => ({ status: 'down', error });

/** The text that causes and rules contain instead of an excerpt, if the monitor does not store response bodies. */
export const NOT_SAVED = 'a value that is not saved';
