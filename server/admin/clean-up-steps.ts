import type { Tx } from '@/server/platform/db';
import { enqueue } from '@/server/platform/jobs';
import { type CleanUp, cleanUp, cleanUpJob, type StepOutcome } from './clean-up';

/** How long the caller waits for external steps; a slower step continues in the background. */
const WAIT_MS = 5_000;
/** When queued jobs start steps that are not complete yet, for example because this process died right after the commit. */
const QUEUED_AFTER_MS = 10_000;

const stepNames: Record<CleanUp['step'], string> = {
  stripe: 'the Stripe subscription',
  keyValue: 'key-value entries',
  objects: 'stored objects',
};

/** Returns the outcome of each step for the audit entry, before the first attempt. */
export function firstOutcomes(steps: CleanUp[]): Record<CleanUp['step'], StepOutcome> {
  const outcomeOf = (name: CleanUp['step']): StepOutcome =>
    steps.some(({ step }) => step === name) ? { status: 'pending', attempts: 0 } : { status: 'not needed' };
  return { stripe: outcomeOf('stripe'), keyValue: outcomeOf('keyValue'), objects: outcomeOf('objects') };
}

/** Queues the steps in the transaction that removes the rows. */
export async function queueSteps(tx: Tx, steps: CleanUp[]): Promise<void> {
  const runAt = new Date(Date.now() + QUEUED_AFTER_MS);
  for (const step of steps) await enqueue(tx, cleanUpJob, step, { runAt });
}

/** Attempts a step now. Returns whether it was completed in time. */
async function doneNow(payload: CleanUp): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, WAIT_MS, false);
  });
  const work = cleanUp(payload).then(
    () => true,
    () => false,
  );
  const done = await Promise.race([work, late]);
  clearTimeout(timer);
  return done;
}

/** Attempts the steps after the commit, each for up to 5 s. Returns the incomplete ones, which their jobs continue. */
export async function doSteps(steps: CleanUp[]): Promise<CleanUp[]> {
  const left = await Promise.all(steps.map(async (step) => ((await doneNow(step)) ? [] : [step])));
  return left.flat();
}

/** Returns a sentence that says what is still being removed; empty if nothing is. */
export function restOf(left: CleanUp[], hasHistory = false): string {
  const names = [
    ...(hasHistory ? ['the history of teams and contact methods'] : []),
    ...left.map(({ step }) => stepNames[step]),
  ];
  return names.length === 0 ? '' : ` Still being removed: ${names.join(', ')}.`;
}
