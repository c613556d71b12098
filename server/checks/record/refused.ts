import type { Finding } from '../finding';
import type { Result } from './write-results';

const CAUSE = 'The result of this check could not be stored; see the Upwatch log for details';

/** Replaces a result whose data the database rejects by one with the status unknown, which says nothing about the target. */
export function toRefused(result: Result): Result & { finding: Finding } {
  const { at } = result.finding;
  const finding: Finding = { at, observation: null, verdict: { status: 'unknown', error: CAUSE } };
  return { ...result, finding };
}
