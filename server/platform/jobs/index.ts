export { type AnyJob, defineJob } from './define-job';
export { dequeue, enqueue, enqueueMany } from './enqueue';
export { type RunningJobs, startJobs } from './start-jobs';
