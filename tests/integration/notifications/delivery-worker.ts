// A worker of its own process, which its test kills while it is sending.
import { deliverMessage } from '@/server/notifications/deliveries/deliver-message';
import { startJobs } from '@/server/platform/jobs';

await startJobs({ jobs: [deliverMessage], concurrency: 2 });
