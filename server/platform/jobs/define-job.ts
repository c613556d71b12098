import type { z } from 'zod';
import { OwnError } from '../own-error';

/** The default of `maxAttempts`. With the queue's backoff, the last one is about four days after the first. */
export const MOST_ATTEMPTS = 25;

/** What a run of a job receives besides the payload. */
interface JobHelpers {
  /** Aborted when the process stops and the grace period is over. */
  signal: AbortSignal;
  /** The number of this attempt, from 1. */
  attempt: number;
  /** The priority of the job; ready jobs with the lowest number run first. */
  priority: number;
  /** The current time; by default, the database's. */
  now?: Date;
}

/** The definition that is needed to queue a job. */
export interface Queued<Schema extends z.ZodType = z.ZodType> {
  /** In kebab-case. Stored with every queued job, so it outlives deployments. */
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

/** A payload that this version cannot read, because another version has queued it. */
export class UnreadablePayloadError extends OwnError {
  static override readonly kind: string = 'UnreadablePayloadError';

  constructor(cause: z.core.$ZodError) {
    const { path = [], message = '' } = cause.issues[0] ?? {};
    super(`This version cannot read the payload (${path.join('.') || 'all of it'}: ${message})`, { cause });
  }
}

/** A job whose payload type is unknown to the caller, as in a worker's list. */
export interface AnyJob {
  name: string;
  /** Parses the payload and runs the job. Rejects with an UnreadablePayloadError for an invalid payload. */
  runUnknown(payload: unknown, helpers: JobHelpers): Promise<void>;
}

/**
 * Declares a job. `run` must be idempotent, also when run concurrently, and re-reads the state it acts on. A run that throws is retried after
 * e^attempt seconds, up to `maxAttempts` (25 by default, about four days). A payload that cannot be read is retried that long in any case.
 */
export function defineJob<Schema extends z.ZodType>(
  job: Omit<Job<Schema>, 'maxAttempts'> & { maxAttempts?: number },
): Job<Schema> & AnyJob {
  return {
    maxAttempts: MOST_ATTEMPTS,
    ...job,
    async runUnknown(payload, helpers) {
      const parsed = job.schema.safeParse(payload);
      if (!parsed.success) throw new UnreadablePayloadError(parsed.error);
      await job.run(parsed.data, helpers);
    },
  };
}
