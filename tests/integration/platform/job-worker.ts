// A worker of its own process, which its test kills. It tells on stdout when the job has begun, and never ends it.
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
