import { exitCodeOf } from '@/server/platform/database/until-usable';
import { log } from '@/server/platform/log';
import { untilOutdated } from '@/server/platform/until-outdated';

/** Set by the web process (scripts/web.mjs) before the application starts. */
const shared = globalThis as typeof globalThis & { upwatchStop?: (code: number) => void };

/** Ends the web process when a newer version has migrated the database, and logs why. Does nothing without a web process. */
export function endWhenOutdated(): void {
  const { upwatchStop: stop } = shared;
  // Not set during a build.
  if (!stop) return;
  void untilOutdated().then((error) => {
    log.fatal(error.message);
    stop(exitCodeOf(error));
  });
}
