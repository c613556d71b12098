import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import type { ExpressionFault } from '@/server/monitors/config/expressions';
import type { Observation, Verdict } from '@/server/monitors/probing/observation';
import type { CheckedConfig } from '@/server/monitors/schema';
import type { Expression } from '@/server/monitors/types/definition';
import type { Rule } from '@/server/monitors/types/verdict';
import { FairPool, type Share } from '@/server/platform/fair-pool';

/** What `evaluate` is asked. */
export interface EvaluateQuestion {
  kind: 'evaluate';
  target: CheckedConfig;
  observation: Observation;
  at: Date;
}

/** What `rulesOf` is asked. */
export type ExplainQuestion = Omit<EvaluateQuestion, 'kind'> & { kind: 'explain' };

/** Which expressions do not compile. */
export interface CompileQuestion {
  kind: 'compile';
  expressions: Expression[];
}

export type Question = EvaluateQuestion | ExplainQuestion | CompileQuestion;
type AnswerTo<Q extends Question> = Q extends EvaluateQuestion
  ? Verdict
  : Q extends ExplainQuestion
    ? Rule[]
    : ExpressionFault[];

/** The thread had to be ended before it could answer. */
export class EvaluationLimitError extends Error {
  /** @param limit the limit that was reached, in words: "500 ms" */
  constructor(readonly limit: string) {
    super(`The evaluation did not end within ${limit}`);
  }
}

const THREADS = 2;
const MOST_MEMORY_MB = 256;
/** How many times its budget a thread may take by the clock where a busy machine keeps it waiting. */
const MOST_WAITS = 20;
/** Made beside the worker's bundle, and found from the project's root, where every process of the product runs. */
const FILE = './.build/evaluation-thread.mjs';

const pool = new FairPool({ kind: 'evaluate', places: THREADS });
/** Threads that wait for a question; they are started when one is needed. */
const idle = new Set<Worker>();
/** The numbers that Linux knows the threads by. */
const numbers = new WeakMap<Worker, number>();

async function start(): Promise<Worker> {
  // Imported by name, the class would have Next make the thread anew, as a part of its own build.
  const threads = process.getBuiltinModule('node:worker_threads');
  const worker = new threads.Worker(FILE, { resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB } });
  // Without a listener, an error between requests would end the process.
  worker.on('error', () => undefined);
  worker.once('exit', () => idle.delete(worker));
  const [{ thread }] = (await once(worker, 'message')) as [{ thread: number | null }];
  if (thread !== null) numbers.set(worker, thread);
  return worker;
}

/** How many milliseconds a thread has computed so far; by the clock where the system does not tell. */
function computedMs(worker: Worker): number {
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${numbers.get(worker)}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    return performance.now();
  }
}

async function takeThread(): Promise<Worker> {
  const [worker] = idle;
  if (!worker) return start();
  idle.delete(worker);
  return worker;
}

/** The next answer. Throws EvaluationLimitError where none came in time. */
async function answerOf(worker: Worker, budgetMs: number): Promise<unknown> {
  const deadline = new AbortController();
  const end = performance.now() + MOST_WAITS * budgetMs;
  const from = computedMs(worker);
  const look = () => {
    const leftMs = performance.now() >= end ? 0 : budgetMs - (computedMs(worker) - from);
    // An answer that waits to be read, because this thread was busy itself, is read before the timer's word counts.
    if (leftMs <= 0) setImmediate(() => deadline.abort());
    else timer = setTimeout(look, leftMs);
  };
  let timer = setTimeout(look, budgetMs);
  try {
    const [answer] = await once(worker, 'message', { signal: deadline.signal });
    return answer;
  } catch (error) {
    if (deadline.signal.aborted) throw new EvaluationLimitError(`${budgetMs} ms`);
    const isOutOfMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    throw isOutOfMemory ? new EvaluationLimitError(`${MOST_MEMORY_MB} MB of memory`) : error;
  } finally {
    clearTimeout(timer);
  }
}

async function ask<Q extends Question>(question: Q, budgetMs: number): Promise<AnswerTo<Q>> {
  const worker = await takeThread();
  let isReusable = false;
  worker.ref();
  try {
    worker.postMessage(question);
    const answer = await answerOf(worker, budgetMs);
    isReusable = true;
    return answer as AnswerTo<Q>;
  } finally {
    worker.unref();
    if (isReusable) idle.add(worker);
    else await worker.terminate();
  }
}

/**
 * Has one of two threads work on users' expressions, and ends the thread when it computes for longer than `budgetMs` or takes too
 * much memory (EvaluationLimitError). The threads are shared fairly by team; waiting for one does not count against the budget.
 *
 * @param signal rejects with its reason where it aborts before a thread is free
 */
export function askThread<Q extends Question>(
  question: Q,
  { share, budgetMs, signal }: { share: Share; budgetMs: number; signal?: AbortSignal },
): Promise<AnswerTo<Q>> {
  return pool.run(share, () => ask(question, budgetMs), signal);
}
