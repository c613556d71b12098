import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, type Runner, run, type Task, type TaskList, type WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import { withShare } from '../database/connection-share';
import { log } from '../log';
import { type AnyJob, MOST_ATTEMPTS, UnreadablePayloadError } from './define-job';
import { patientPool } from './patient-pool';
import { Presence } from './presence';

interface StartJobsOptions {
  jobs: AnyJob[];
  /** The number of concurrent jobs in this process; each needs a database connection at times. */
  concurrency: number;
  /** Lines of "minute hour day month weekday job-name", in UTC. */
  crontab?: string;
}

export interface RunningJobs {
  /** Takes no more jobs, aborts the signal of running ones after 8 s, and resolves when all have ended. */
  stop(): Promise<void>;
}

const POLL_EVERY_MS = 2_000;
const ABORT_AFTER_MS = 8_000;
const LONGEST_RESTART_WAIT_MS = 5_000;

const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const;
const logger = new Logger((scope) => (level, message) => log[levels[level]]({ job: scope.taskIdentifier }, message));

function toTask(job: AnyJob): Task {
  const never = new AbortController().signal;
  return async (payload, { job: { id, attempts, priority }, abortSignal, query }) => {
    try {
      const helpers = { signal: abortSignal ?? never, attempt: attempts, priority };
      // Jobs do not take the connections that recording checks needs.
      await withShare({ team: 'jobs', host: job.name }, () => job.runUnknown(payload, helpers));
    } catch (error) {
      if (error instanceof UnreadablePayloadError) {
        // A process of the version that can read it may start later. The queue's own function skips jobs that are running.
        const extend =
          'update graphile_worker._private_jobs set max_attempts = greatest(max_attempts, $2) where id = $1';
        await query(extend, [id, MOST_ATTEMPTS]);
      }
      throw error;
    }
  };
}

/**
 * Runs queued jobs in this process until stopped. Restarts the library's runner when that stops working, for example because the database restarts.
 */
class JobRunner {
  private readonly presence = new Presence();
  private readonly pool: pg.Pool;
  private readonly tasks: TaskList;
  private runner: Runner | null = null;
  private restarting: Promise<void> | null = null;
  private readonly stopping = new AbortController();

  constructor(private readonly options: StartJobsOptions) {
    this.tasks = Object.fromEntries(options.jobs.map((job) => [job.name, toTask(job)]));
    this.pool = patientPool(options.concurrency + 1, this.stopping.signal);
  }

  async start(): Promise<void> {
    this.presence.start();
    await this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.restarting;
    await this.runner?.stop();
    await this.presence.stop();
    await this.pool.end();
  }

  private async run(): Promise<void> {
    const events: WorkerEvents = new EventEmitter();
    events.on('worker:create', ({ worker }) => this.presence.add(worker.workerId));
    events.on('worker:stop', ({ worker, error }) => {
      this.presence.remove(worker.workerId);
      // The queue never replaces a runner that failed to write its outcome: without this, no runner would be left.
      if (error) this.restart();
    });
    const { concurrency, crontab = '' } = this.options;
    const runner = await run({
      pgPool: this.pool,
      events,
      logger,
      concurrency,
      crontab,
      taskList: this.tasks,
      noHandleSignals: true,
      pollInterval: POLL_EVERY_MS,
      gracefulShutdownAbortTimeout: ABORT_AFTER_MS,
    });
    this.runner = runner;
    runner.promise.catch(() => this.restart());
  }

  private restart(): void {
    if (this.stopping.signal.aborted) return;
    this.restarting ??= this.startOver().finally(() => {
      this.restarting = null;
    });
  }

  private async startOver(): Promise<void> {
    const broken = this.runner;
    this.runner = null;
    await broken?.stop().catch((error: unknown) => log.debug({ err: error }, 'The job runner had stopped already'));
    for (let wait = 500; !this.stopping.signal.aborted; wait = Math.min(wait * 2, LONGEST_RESTART_WAIT_MS)) {
      try {
        return await this.run();
      } catch (error) {
        log.warn({ err: error, wait }, 'Could not start running jobs, trying again');
        await sleep(wait, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      }
    }
  }
}

/**
 * Runs `jobs` in this process. Several processes may do so on one database: one of them runs a job, and another runs it again if that process dies.
 * Rejects if the database cannot be reached at the start.
 */
export async function startJobs(options: StartJobsOptions): Promise<RunningJobs> {
  const runner = new JobRunner(options);
  try {
    await runner.start();
  } catch (error) {
    await runner.stop();
    throw error;
  }
  return { stop: () => runner.stop() };
}
