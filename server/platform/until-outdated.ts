import { setTimeout as sleep } from 'node:timers/promises';
import { assertCompatible, OutdatedError } from './database/compatibility';
import { env } from './env';
import { listen } from './listen';
import { log } from './log';

const RETRY_AFTER_MS = 5_000;

/** Resolves when a newer version has migrated the database; from then on, the database rejects the claims of this process. */
export async function untilOutdated(): Promise<OutdatedError> {
  return new Promise((resolve) => {
    const check = async () => {
      try {
        await assertCompatible(env.databaseUrl ?? '');
      } catch (error) {
        if (error instanceof OutdatedError) return resolve(error);
        log.debug({ err: error }, 'The compatibility version could not be read, trying again');
        await sleep(RETRY_AFTER_MS, undefined, { ref: false });
        await check();
      }
    };
    for (const kind of ['compatibility', 'resumed'] as const) void listen(kind, () => void check());
  });
}
