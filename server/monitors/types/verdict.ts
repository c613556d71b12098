import type { Verdict } from '../probing/observation';

export const UP: Verdict = { status: 'up', error: null };

/** @param error why, in plain words */
export const down = (error: string): Verdict => ({ status: 'down', error });
