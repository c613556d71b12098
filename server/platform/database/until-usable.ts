import { setTimeout as sleep } from 'node:timers/promises';
import type { Env } from '../env';
import { OwnError } from '../own-error';
import { AppSecretError, claimSecret } from './app-secret';
import { assertSessions, SessionError } from './assert-sessions';
import { assertCompatible, OutdatedError } from './compatibility';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;

/** The error for a process without the settings that the start script provides; one displayable line. */
export class UnusableError extends OwnError {
  static override readonly kind: string = 'UnusableError';
}

/** Whether an error means that this process must not continue, rather than that the database does not respond. */
export function isRefusal(error: unknown): error is Error {
  return [AppSecretError, OutdatedError, SessionError, UnusableError].some((kind) => error instanceof kind);
}

/** The exit code of a process that a newer version replaces (EX_CONFIG of sysexits.h): a restart would not help. */
const OUTDATED_EXIT_CODE = 78;

/** Returns the exit code for an error that `isRefusal`. */
export function exitCodeOf(refusal: Error): number {
  return refusal instanceof OutdatedError ? OUTDATED_EXIT_CODE : 1;
}

interface Options {
  /** Ends the wait. */
  signal: AbortSignal;
  /** Called each time the database does not respond, before the next attempt. */
  onAway: (error: unknown) => void;
}

/**
 * Waits until the database responds, and verifies that this process may use it: sessions, APP_SECRET, compatibility version.
 * @returns false if `signal` was aborted before
 * @throws an error that `isRefusal` if it may not
 */
export async function untilUsable(
  { databaseUrl, appSecret, appSecretPrevious }: Pick<Env, 'databaseUrl' | 'appSecret' | 'appSecretPrevious'>,
  { signal, onAway }: Options,
): Promise<boolean> {
  for (const [name, value] of Object.entries({ DATABASE_URL: databaseUrl, APP_SECRET: appSecret })) {
    if (value === undefined) throw new UnusableError(`${name} is not set: start Upwatch with "npm start", or set it.`);
  }
  for (let wait = FIRST_WAIT_MS; !signal.aborted; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    try {
      await assertSessions(databaseUrl ?? '');
      await claimSecret(databaseUrl ?? '', { present: appSecret ?? '', previous: appSecretPrevious });
      await assertCompatible(databaseUrl ?? '');
      return true;
    } catch (error) {
      if (isRefusal(error)) throw error;
      onAway(error);
    }
    await sleep(wait, undefined, { signal }).catch(() => undefined);
  }
  return false;
}
