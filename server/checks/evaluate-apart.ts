import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import type { CheckedConfig } from '@/server/monitors/schema';
import { evaluate } from './evaluate';
import type { Observation, Verdict } from './types';

/** What `evaluate` is asked. */
export interface Question {
  target: CheckedConfig;
  observation: Observation;
  at: Date;
}

/** An honest pattern over 1 MiB takes a tenth of it; the rest is for a machine that is busy. */
const BUDGET_MS = 500;
const MOST_MEMORY_MB = 256;
/** Made beside the worker's bundle, and found from the project's root, where every process of the product runs. */
const FILE = './.build/evaluation-thread.mjs';

/** A thread and those who wait for it: it is asked one question at a time. */
interface Lane {
  /** The thread while nobody uses it; it is started at need. */
  idle: Worker | null;
  /** Settles, never rejects, when the last in line is answered. */
  line: Promise<unknown>;
  waiting: number;
}

/** Two, so that what takes its whole time holds up only those who had joined its line already. */
const lanes: [Lane, Lane] = [
  { idle: null, line: Promise.resolve(), waiting: 0 },
  { idle: null, line: Promise.resolve(), waiting: 0 },
];

/** Only patterns and JSON paths of users may take long over what only a target knows. */
function mayTakeLong({ target, observation }: Question): boolean {
  if (target.type !== 'http' || !observation.answer) return false;
  return target.config.assertions.some(({ source, operator }) => source === 'json' || operator === 'matches');
}

async function start(lane: Lane): Promise<Worker> {
  // Imported by name, the class would have Next make the thread anew, as a part of its own build.
  const threads = process.getBuiltinModule('node:worker_threads');
  const worker = new threads.Worker(FILE, { resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB } });
  // Who waits hears of an error; without this, one that comes when nobody waits would end the process.
  worker.on('error', () => undefined);
  worker.once('exit', () => {
    if (lane.idle === worker) lane.idle = null;
  });
  await once(worker, 'message');
  return worker;
}

/** The next answer; null where none came in time. */
async function answerOf(worker: Worker): Promise<Verdict | null> {
  const deadline = new AbortController();
  // An answer that waits to be read, because this thread was busy itself, is read before the timer's word counts.
  const timer = setTimeout(() => setImmediate(() => deadline.abort()), BUDGET_MS);
  try {
    const [verdict] = (await once(worker, 'message', { signal: deadline.signal })) as [Verdict];
    return verdict;
  } catch (error) {
    if (deadline.signal.aborted) return null;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

const isOutOfMemory = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

const refused = (within: string): Verdict => {
  return { status: 'down', error: `The assertions could not be evaluated within ${within}` };
};

async function ask(lane: Lane, question: Question, signal: AbortSignal): Promise<Verdict> {
  signal.throwIfAborted();
  const worker = lane.idle ?? (await start(lane));
  lane.idle = null;
  worker.ref();
  try {
    worker.postMessage(question);
    const verdict = await answerOf(worker);
    if (verdict) lane.idle = worker;
    return verdict ?? refused(`${BUDGET_MS} ms`);
  } catch (error) {
    if (isOutOfMemory(error)) return refused(`${MOST_MEMORY_MB} MB of memory`);
    throw error;
  } finally {
    worker.unref();
    if (lane.idle !== worker) await worker.terminate();
  }
}

/**
 * `evaluate`, but what users' patterns and JSON paths ask is worked out in one of two threads, which is ended when it takes longer
 * than 500 ms: such a verdict is down. Rejects where `signal` aborts before its turn has come.
 */
export async function evaluateApart(question: Question, signal: AbortSignal): Promise<Verdict> {
  const { target, observation, at } = question;
  if (!mayTakeLong(question)) return evaluate(target, observation, at);
  const [first, second] = lanes;
  const lane = second.waiting < first.waiting ? second : first;
  lane.waiting += 1;
  const answer = lane.line
    .then(() => ask(lane, question, signal))
    .finally(() => {
      lane.waiting -= 1;
    });
  lane.line = answer.catch(() => undefined);
  return answer;
}
