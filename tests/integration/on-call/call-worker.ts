// A worker in its own process that calls people, and is killed before it writes to the story that they were notified.

import { startJobs } from '@/server/platform/jobs';
import { jobs } from '@/server/worker/jobs';

await startJobs({ jobs: jobs.filter(({ name }) => name !== 'settle-escalation'), concurrency: 2 });
