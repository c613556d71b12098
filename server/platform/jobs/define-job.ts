import type { z } from 'zod';

/** What a job gets besides its payload. */
interface JobHelpers {
  /** Aborted when the process stops and the grace period is over. */
  signal: AbortSignal;
  /** 1 on the first run of this job. */
  attempt: number;
  /** The priority of the queued job; the lowest runs first. */
  priority: number;
  /** The current time; by default, the database's. */
  now?: Date;
}

/** What it takes to queue a job. */
export interface Queued<Schema extends z.ZodType = z.ZodType> {
  /** kebab-case; stored with every queued job, so it outlives deployments. */
  name: string;
  /** Validates the payload when it is queued and again when it is run. */
  schema: Schema;
  /** The maximum number of attempts, including those ended by a crash. */
  maxAttempts: number;
}

/** Work outside of a request, run at least once by any free worker. */
export interface Job<Schema extends z.ZodType = z.ZodType> extends Queued<Schema> {
  run(payload: z.output<Schema>, helpers: JobHelpers): Promise<void>;
}

/** A job whose payload type is unknown to the caller, as in a worker's list. */
export interface AnyJob {
  name: string;
  /** Parses the payload and runs the job. Throws a ZodError for an invalid payload. */
  runUnknown(payload: unknown, helpers: JobHelpers): Promise<void>;
}

/**
 * Declares a job. `run` must be idempotent, also when run concurrently, and re-reads the state it acts on. A run that throws is retried after
 * e^attempt seconds, up to `maxAttempts` (25 by default, about three days).
 */
export function defineJob<Schema extends z.ZodType>(
  job: Omit<Job<Schema>, 'maxAttempts'> & { maxAttempts?: number },
): Job<Schema> & AnyJob {
  return {
    maxAttempts: 25,
    ...job,
    runUnknown: async (payload, helpers) => job.run(job.schema.parse(payload), helpers),
  };
}
