import type { Tx } from '@/server/platform/db';
import { enqueue } from '@/server/platform/jobs';
import { type CleanUp, cleanUp, cleanUpJob, type StepOutcome } from './clean-up';

/** How long the caller waits for what lies outside the database; a step that takes longer goes on without them. */
const WAIT_MS = 5_000;
/** When the queued steps begin, if they were not done by then: also where this process dies right after the commit. */
const QUEUED_AFTER_MS = 10_000;

const stepNames: Record<CleanUp['step'], string> = {
  stripe: 'the Stripe subscription',
  keyValue: 'key-value entries',
  objects: 'stored objects',
};

/** What the audit entry says of the steps before any was tried. */
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

/** Tries a step now. Answers whether it was done in time. */
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

/** Tries the steps now, after the commit. Answers those that their jobs go on with. */
export async function doSteps(steps: CleanUp[]): Promise<CleanUp[]> {
  const left = await Promise.all(steps.map(async (step) => ((await doneNow(step)) ? [] : [step])));
  return left.flat();
}

/** What is still being removed, as a sentence to follow another; empty where nothing is. */
export function restOf(left: CleanUp[]): string {
  return left.length === 0 ? '' : ` Still being removed: ${left.map(({ step }) => stepNames[step]).join(', ')}.`;
}
