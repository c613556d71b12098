import { z } from 'zod';
import { defineJob } from '@/server/platform/jobs';
import { takeSample } from './sample-queries';

/** Computes the figures of `/api/metrics` that need whole tables, so that the cost of a scrape does not grow with the data. */
export const sampleInstance = defineJob({
  name: 'sample-instance',
  schema: z.object({}),
  maxAttempts: 1,
  run: takeSample,
});
