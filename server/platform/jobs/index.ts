export { type AnyJob, defineJob } from './define-job';
export { BEHIND_ALERTS, dequeue, enqueue, enqueueMany } from './enqueue';
export { type RunningJobs, startJobs } from './start-jobs';
