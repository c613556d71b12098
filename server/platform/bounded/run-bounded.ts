import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import type { Worker } from 'node:worker_threads';
import { FairPool } from '../fair-pool';
import type { TaskRequest, TaskResult } from './serve-tasks';
import { type BoundedTask, LimitError } from './task';

const THREADS = 2;
const MOST_MEMORY_MB = 256;
/** The maximum wall-clock time of a task, as a multiple of its CPU budget, for busy machines. */
const MOST_WAITS = 20;
/** Bundled from app/threads.ts. The path is relative to the project's root, where every process of the product runs. */
const FILE = './.build/threads.mjs';

interface Threads {
  pool: FairPool;
  /** Threads that wait for a task; started on demand. */
  idle: Set<Worker>;
  /** The Linux thread IDs. */
  numbers: WeakMap<Worker, number>;
}

const kept = globalThis as typeof globalThis & { upwatchThreads?: Threads };

/** Returns the threads of this process. Copies of this module share them, because the web process bundles status pages separately. */
function sharedThreads(): Threads {
  kept.upwatchThreads ??= {
    pool: new FairPool({ kind: 'bounded', slots: THREADS }),
    idle: new Set(),
    numbers: new WeakMap(),
  };
  return kept.upwatchThreads;
}

const { pool, idle, numbers } = sharedThreads();

async function start(): Promise<Worker> {
  // Not imported by name, because Next would then bundle the thread again as part of its own build.
  const threads = process.getBuiltinModule('node:worker_threads');
  const worker = new threads.Worker(FILE, { resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB } });
  // Without a listener, an error between requests would end the process.
  worker.on('error', () => undefined);
  worker.once('exit', () => idle.delete(worker));
  const [{ thread }] = (await once(worker, 'message')) as [{ thread: number | null }];
  if (thread !== null) numbers.set(worker, thread);
  return worker;
}

/** Returns the CPU time of a thread in milliseconds. On systems that do not report it: the elapsed time. */
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

/**
 * Waits for the next result of a thread.
 * @throws LimitError if none arrives within the budget or the thread exceeds its memory, or the signal's reason
 */
async function resultFrom(worker: Worker, budgetMs: number, signal: AbortSignal | undefined): Promise<TaskResult> {
  const deadline = new AbortController();
  const end = performance.now() + MOST_WAITS * budgetMs;
  const from = computedMs(worker);
  const verify = () => {
    const leftMs = performance.now() >= end ? 0 : budgetMs - (computedMs(worker) - from);
    // A result that has arrived but was not read yet, because this thread was busy, still counts.
    if (leftMs <= 0) setImmediate(() => deadline.abort());
    else timer = setTimeout(verify, leftMs);
  };
  let timer = setTimeout(verify, budgetMs);
  try {
    const ended = signal ? AbortSignal.any([deadline.signal, signal]) : deadline.signal;
    const [result] = (await once(worker, 'message', { signal: ended })) as [TaskResult];
    return result;
  } catch (error) {
    if (deadline.signal.aborted) throw new LimitError('time', `${budgetMs} ms`);
    signal?.throwIfAborted();
    const isOutOfMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    throw isOutOfMemory ? new LimitError('memory', `${MOST_MEMORY_MB} MB of memory`) : error;
  } finally {
    clearTimeout(timer);
  }
}

async function runInThread(
  request: TaskRequest,
  budgetMs: number,
  signal: AbortSignal | undefined,
): Promise<TaskResult> {
  const worker = await takeThread();
  let isReusable = false;
  worker.ref();
  try {
    worker.postMessage(request, [request.input.buffer as ArrayBuffer]);
    const result = await resultFrom(worker, budgetMs, signal);
    isReusable = true;
    return result;
  } finally {
    worker.unref();
    if (isReusable) idle.add(worker);
    else await worker.terminate();
  }
}

const inKiB = (bytes: number) => `${Math.round(bytes / 1024).toLocaleString('en')} KiB`;

/**
 * Runs a task in one of two threads of this process, or directly if its input is small. Threads are shared fairly by team; the wait for one does
 * not count against the budget. A thread that exceeds a limit is terminated without affecting the process.
 * @param options.team the team that owns the data, even if the caller is anonymous
 * @param options.signal rejects with its reason, and terminates a running task
 * @throws LimitError if the task exceeds one of its limits
 */
export async function runBounded<Input, Output>(
  task: BoundedTask<Input, Output>,
  input: Input,
  { team, signal }: { team: string; signal?: AbortSignal | undefined },
): Promise<Output> {
  if (task.isSmall?.(input)) return task.run(input);
  const bytes = serialize(input);
  if (bytes.byteLength > task.maxInputBytes) throw new LimitError('input', `${inKiB(task.maxInputBytes)} of input`);
  const request = { task: task.name, input: bytes, maxOutputBytes: task.maxOutputBytes };
  const result = await pool.run({ team }, () => runInThread(request, task.budgetMs, signal), signal);
  if ('thrown' in result) throw new Error(`The task ${task.name} failed: ${result.thrown}`);
  if ('tooLarge' in result) throw new LimitError('output', `${inKiB(task.maxOutputBytes)} of output`);
  return deserialize(result.output) as Output;
}
