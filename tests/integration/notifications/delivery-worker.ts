// A worker in its own process, which its test kills during a send.
import { deliverMessage } from '@/server/notifications/deliveries/deliver-channel';
import { startJobs } from '@/server/platform/jobs';

await startJobs({ jobs: [deliverMessage], concurrency: 2 });
