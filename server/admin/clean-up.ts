import { z } from 'zod';
import { removeCustomer } from '@/server/billing/remove-customer';
import { db } from '@/server/platform/db';
import { defineJob } from '@/server/platform/jobs';
import { kv } from '@/server/platform/kv';
import { log } from '@/server/platform/log';
import { storage } from '@/server/platform/storage';
import { noteStep } from './queries';

const entryId = z.string();
const texts = z.array(z.string().min(1));

/** An external step of a force delete, and the audit entry that records its outcome. */
export const CleanUp = z.discriminatedUnion('step', [
  z.object({ step: z.literal('stripe'), entryId, customerIds: texts }),
  z.object({ step: z.literal('keyValue'), entryId, keys: texts, prefixes: texts }),
  z.object({ step: z.literal('objects'), entryId, prefixes: texts }),
]);
export type CleanUp = z.infer<typeof CleanUp>;

/** The outcome of a step, stored in the audit entry under `after.steps`. */
export type StepOutcome =
  | { status: 'not needed' }
  | { status: 'pending'; attempts: number; at?: string; error?: string }
  | { status: 'done'; attempts: number; at: string };

const LONGEST_ERROR = 300;

/** Removes the step's objects; missing ones are ignored. */
async function remove(payload: CleanUp): Promise<void> {
  switch (payload.step) {
    case 'stripe':
      for (const customerId of payload.customerIds) await removeCustomer(customerId);
      return;
    case 'keyValue':
      for (const key of payload.keys) await kv.del(key);
      for (const prefix of payload.prefixes) await kv.deletePrefix(prefix);
      return;
    case 'objects':
      for (const prefix of payload.prefixes) await storage.deletePrefix(prefix);
      return;
    default:
      payload satisfies never;
  }
}

async function isDone({ entryId: id, step }: CleanUp): Promise<boolean> {
  const after = { path: ['steps', step, 'status'], equals: 'done' };
  return (await db.auditEntry.count({ where: { id, after } })) > 0;
}

/** Runs a step unless it is done, and records the outcome in the audit entry. Throws if it failed. */
export async function cleanUp(payload: CleanUp): Promise<void> {
  if (await isDone(payload)) return;
  try {
    await remove(payload);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    log.warn({ err: error, step: payload.step, entry: payload.entryId }, 'A step of a force delete failed');
    await noteStep(payload, { status: 'pending', error: message.slice(0, LONGEST_ERROR) });
    throw error;
  }
  await noteStep(payload, { status: 'done' });
}

/** Retries a step that could not be completed at once, for months; the interval grows to six hours. */
export const cleanUpJob = defineJob({
  name: 'force-delete-clean-up',
  schema: CleanUp,
  maxAttempts: 1_000,
  run: cleanUp,
});
