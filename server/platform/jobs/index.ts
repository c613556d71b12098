export { type AnyJob, defineJob } from './define-job';
export { enqueue, enqueueMany } from './enqueue';
export { type RunningJobs, startJobs } from './start-jobs';
