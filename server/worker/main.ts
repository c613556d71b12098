import { Scheduler } from '@/server/checks/schedule/schedule';
import { queueRendering } from '@/server/incidents/postmortems/render-postmortems';
import { queueDefaults } from '@/server/monitors/note-defaults';
import { stopSends } from '@/server/notifications/deliveries/deliver-channel';
import { exitCodeOf, isRefusal, untilUsable } from '@/server/platform/database/until-usable';
import { db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { newId } from '@/server/platform/ids';
import { type RunningJobs, startJobs } from '@/server/platform/jobs';
import { stopListening } from '@/server/platform/listen';
import { log } from '@/server/platform/log';
import { untilOutdated } from '@/server/platform/until-outdated';
import { crontab, jobs } from './jobs';
import { queueResealing } from './reseal-secrets';
import { queueSealing } from './seal-plain-secrets';

const JOBS_AT_ONCE = 20;
const LONGEST_START_WAIT_MS = 5_000;
/** For how long running checks may continue when the worker stops. */
const CHECKS_GRACE_MS = 2_500;
/** For how long running sends may continue when the worker stops. */
const SENDS_GRACE_MS = 8_000;

process.title = 'upwatch-worker';

const scheduler = new Scheduler({
  worker: newId(),
  region: env.region,
  concurrency: env.workerConcurrency,
  egress: { canaries: env.egressCanaries },
});
const stopping = new AbortController();

/**
 * Queues the jobs that run at every start, then starts the job queue. Retries until the database responds, in case the worker starts first. Null if
 * the worker stops before.
 */
async function startJobsPatiently(): Promise<RunningJobs | null> {
  for (let wait = 250; !stopping.signal.aborted; wait = Math.min(wait * 2, LONGEST_START_WAIT_MS)) {
    try {
      await queueResealing();
      await queueSealing();
      await queueRendering();
      await queueDefaults();
      return await startJobs({ jobs, crontab, concurrency: JOBS_AT_ONCE });
    } catch (error) {
      log.warn({ err: error }, 'Jobs could not be started, trying again');
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
  return null;
}

/** Starts checks and jobs if the version of this worker matches its database; otherwise the process exits. Null if the worker stops before. */
async function start(): Promise<RunningJobs | null> {
  const onAway = (error: unknown) => log.warn({ err: error }, 'The database cannot be used yet, trying again');
  try {
    if (!(await untilUsable(env, { signal: stopping.signal, onAway }))) return null;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    log.fatal(error.message);
    process.exit(exitCodeOf(error));
  }
  void untilOutdated().then((error) => {
    log.fatal(error.message);
    return stop('A newer version has migrated the database', exitCodeOf(error));
  });
  scheduler.start();
  log.info({ region: env.region, concurrency: env.workerConcurrency }, 'The worker runs');
  process.send?.('serving');
  return startJobsPatiently();
}

const runningJobs = start();

/** Stops checks, jobs and sends, and exits the process. Further calls do nothing. */
async function stop(reason: string, code = 0): Promise<void> {
  if (stopping.signal.aborted) return;
  stopping.abort();
  log.info({ reason }, 'The worker stops');
  await Promise.allSettled([
    scheduler.stop(CHECKS_GRACE_MS),
    runningJobs.then((running) => running?.stop()),
    stopSends(SENDS_GRACE_MS),
  ]);
  await stopListening();
  await db.$disconnect();
  process.exit(code);
}

process.once('SIGTERM', () => void stop('SIGTERM'));
process.once('SIGINT', () => void stop('SIGINT'));
process.once('disconnect', () => void stop('The start script is gone'));
