import type { z } from 'zod';
import type { Job } from '@/server/platform/jobs/define-job';

type Helpers = Parameters<Job['run']>[1];

/** Runs a job as the queue does on its first attempt. The payload is parsed; an invalid one throws a ZodError. */
export function runJob<Schema extends z.ZodType>(
  job: Job<Schema>,
  payload: unknown,
  helpers: Partial<Helpers> = {},
): Promise<void> {
  return job.run(job.schema.parse(payload), {
    signal: new AbortController().signal,
    attempt: 1,
    priority: 0,
    ...helpers,
  });
}
