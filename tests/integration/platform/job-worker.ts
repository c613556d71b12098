// A worker in its own process, which its test kills. It reports on stdout that the job has started, and never finishes it.
import { z } from 'zod';
import { defineJob, startJobs } from '@/server/platform/jobs';

const stuck = defineJob({
  name: 'maybe-stuck',
  schema: z.object({ key: z.string() }),
  run: () => {
    process.stdout.write('begun\n');
    return new Promise<void>(() => undefined);
  },
});

await startJobs({ jobs: [stuck], concurrency: 1 });
