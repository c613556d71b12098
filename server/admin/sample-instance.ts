import { z } from 'zod';
import { defineJob } from '@/server/platform/jobs';
import { takeSample } from './sample-queries';

/** Takes the figures that `/api/metrics` does not read from whole tables itself: a scrape costs the same however much data there is. */
export const sampleInstance = defineJob({
  name: 'sample-instance',
  schema: z.object({}),
  maxAttempts: 1,
  run: takeSample,
});
