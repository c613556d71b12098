export { type AnyJob, defineJob, type Job, type JobHelpers } from './define-job';
export { type EnqueueOptions, enqueue, enqueueMany } from './enqueue';
export { type RunningJobs, type StartJobsOptions, startJobs } from './start-jobs';
