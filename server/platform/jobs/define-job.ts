import type { z } from 'zod';

/** What a job is told beside its payload. */
interface JobHelpers {
  /** Aborted when the process is stopping and has waited long enough. */
  signal: AbortSignal;
  /** 1 on the first run of this job. */
  attempt: number;
  /** The priority that the job was queued with; the lowest runs first. */
  priority: number;
  /** The present; left out, the database says it to jobs that ask. */
  now?: Date;
}

/** Something that is done outside the request, at least once, by whichever worker is free. */
export interface Job<Schema extends z.ZodType = z.ZodType> {
  /** kebab-case; stored with every queued job, so it outlives deployments. */
  name: string;
  /** Held against the payload when it is queued and again when it is run. */
  schema: Schema;
  /** How often a run may throw, or its process die, before the job is given up. */
  maxAttempts: number;
  run(payload: z.output<Schema>, helpers: JobHelpers): Promise<void>;
}

/** A job whose payload's type the caller does not know; what a worker is given a list of. */
export interface AnyJob {
  name: string;
  /** Parses the payload and runs the job. Throws a ZodError for a payload it does not know. */
  runUnknown(payload: unknown, helpers: JobHelpers): Promise<void>;
}

/**
 * Declares a job. `run` must survive being run twice, also at once, and re-reads the state it acts on. A run that
 * throws is repeated after e^attempt seconds, up to `maxAttempts` (25 unless told otherwise, some three days).
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
