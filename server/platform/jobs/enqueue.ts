import type { z } from 'zod';
import type { Tx } from '../db';
import type { Queued } from './define-job';

/**
 * The priority of jobs that may come behind alerts: above that of the alerts of a team with few of them, below that of a team with hundreds
 * (notifications/deliveries/queue-deliveries.ts).
 */
export const BEHIND_ALERTS = 10;

interface EnqueueOptions {
  /** The earliest start; at once by default. */
  runAt?: Date;
  /** At most one waiting job has this key: enqueueing another one replaces its payload and time. */
  jobKey?: string;
  /** With `jobKey`: a waiting job keeps its time. */
  keepRunAt?: boolean;
  /** Ready jobs with the lowest number run first; 0 by default. */
  priority?: number;
  /** The name of a queue, whose jobs run one at a time, so that those of a team take one slot. */
  queue?: string;
}

type Item<Schema extends z.ZodType> = { payload: z.input<Schema> } & Omit<EnqueueOptions, 'keepRunAt'>;

/**
 * Enqueues a job when `tx` commits, and not at all when it rolls back.
 * @throws ZodError for an invalid payload
 */
export async function enqueue<Schema extends z.ZodType>(
  tx: Tx,
  job: Queued<Schema>,
  payload: z.input<Schema>,
  { runAt, jobKey, keepRunAt = false, priority = 0, queue }: EnqueueOptions = {},
): Promise<void> {
  job.schema.parse(payload);
  // Raw: a function of the job queue.
  await tx.$executeRaw`
    select 1 from graphile_worker.add_job(
      identifier => ${job.name}::text,
      payload => ${JSON.stringify(payload)}::json,
      queue_name => ${queue ?? null}::text,
      run_at => ${runAt ?? null}::timestamptz,
      max_attempts => ${job.maxAttempts}::int,
      job_key => ${jobKey ?? null}::text,
      job_key_mode => ${keepRunAt ? 'preserve_run_at' : 'replace'}::text,
      priority => ${priority}::int
    )`;
}

/**
 * Enqueues many runs of one job in one statement. Two items must not have the same `jobKey`. Locks keys in one order, so that concurrent callers do
 * not deadlock.
 * @throws ZodError for an invalid payload; then it enqueues none
 */
export async function enqueueMany<Schema extends z.ZodType>(
  tx: Tx,
  job: Queued<Schema>,
  items: Item<Schema>[],
  { keepRunAt = false }: Pick<EnqueueOptions, 'keepRunAt'> = {},
): Promise<void> {
  if (items.length === 0) return;
  for (const { payload } of items) job.schema.parse(payload);
  // Raw: a function of the job queue.
  await tx.$executeRaw`
    select 1 from graphile_worker.add_jobs((
      select array_agg(
        (${job.name}::text, item."payload"::json, item."queue", item."runAt", ${job.maxAttempts}::int, item."jobKey", item."priority", null)
        ::graphile_worker.job_spec order by item."jobKey"
      )
      from jsonb_to_recordset(${JSON.stringify(items)}::jsonb)
        as item("payload" jsonb, "runAt" timestamptz, "jobKey" text, "priority" smallint, "queue" text)
    ), ${keepRunAt})`;
}

/** Removes the waiting job with this key; a running one finishes, and is not retried. */
export async function dequeue(tx: Tx, jobKey: string): Promise<void> {
  // Raw: a function of the job queue.
  await tx.$executeRaw`select 1 from graphile_worker.remove_job(${jobKey}::text)`;
}
