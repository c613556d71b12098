// A worker in its own process that notifies people. It is killed before it records that they were notified.

import { startJobs } from '@/server/platform/jobs';
import { jobs } from '@/server/worker/jobs';

await startJobs({ jobs: jobs.filter(({ name }) => name !== 'settle-escalation'), concurrency: 2 });
