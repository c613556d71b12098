import type { ChildProcess } from 'node:child_process';
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

/** Returns the CPU time of a thread, or of the main thread of a process, in milliseconds. On systems that do not report it: the elapsed time. */
function computedMs(runner: Worker | ChildProcess): number {
  const path = 'threadId' in runner ? `self/task/${numbers.get(runner)}` : runner.pid;
  try {
    const [nanoseconds] = readFileSync(`/proc/${path}/schedstat`, 'utf8').split(' ');
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
 * Waits for the next result of a thread or process.
 * @throws LimitError if none arrives within the budget or the memory is exceeded, or the signal's reason
 */
async function resultFrom(
  runner: Worker | ChildProcess,
  budgetMs: number,
  signal: AbortSignal | undefined,
): Promise<TaskResult> {
  const deadline = new AbortController();
  const end = performance.now() + MOST_WAITS * budgetMs;
  const from = computedMs(runner);
  const verify = () => {
    const leftMs = performance.now() >= end ? 0 : budgetMs - (computedMs(runner) - from);
    // A result that has arrived but was not read yet, because this thread was busy, still counts.
    if (leftMs <= 0) setImmediate(() => deadline.abort());
    else timer = setTimeout(verify, leftMs);
  };
  let timer = setTimeout(verify, budgetMs);
  try {
    const ended = signal ? AbortSignal.any([deadline.signal, signal]) : deadline.signal;
    const [result] = (await once(runner, 'message', { signal: ended })) as [TaskResult];
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

/** A process starts within a second, and on a busy machine within many. One that hangs must not hold its place for ever. */
const LONGEST_START_MS = 120_000;

/** Runs a task in a process of its own, which ends after it. */
async function runApart(request: TaskRequest, budgetMs: number, signal: AbortSignal | undefined): Promise<TaskResult> {
  const { fork } = process.getBuiltinModule('node:child_process');
  const child = fork(FILE, {
    // Without the secrets of this process. Tasks depend on no variables.
    env: { NODE_ENV: 'production' },
    execArgv: ['--no-warnings', `--max-old-space-size=${MOST_MEMORY_MB}`],
    serialization: 'advanced',
    // V8 reports on its end there.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  // V8 aborts a process that exceeds its memory, or the kernel kills it. It reports the end as an error, as a thread does.
  child.once('exit', (code, by) => {
    const isOutOfMemory = by !== null || code === 134;
    const error = new Error(`The process of a task ended by itself (${by ?? code})`);
    child.emit('error', Object.assign(error, isOutOfMemory && { code: 'ERR_WORKER_OUT_OF_MEMORY' }));
  });
  child.on('error', () => undefined);
  try {
    const starting = AbortSignal.timeout(LONGEST_START_MS);
    await once(child, 'message', { signal: signal ? AbortSignal.any([signal, starting]) : starting });
    child.send(request);
    return await resultFrom(child, budgetMs, signal);
  } finally {
    process.off('exit', kill);
    kill();
  }
}

const inKiB = (bytes: number) => `${Math.round(bytes / 1024).toLocaleString('en')} KiB`;

/**
 * Runs a task in one of two threads of this process, in a process of its own instead of a thread, or directly if its input is small. Threads are
 * shared fairly by team; the wait for one does not count against the budget. What exceeds a limit is terminated without affecting this process.
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
  const run = task.isApart ? runApart : runInThread;
  const result = await pool.run({ team }, () => run(request, task.budgetMs, signal), signal);
  if ('thrown' in result) throw new Error(`The task ${task.name} failed: ${result.thrown}`);
  if ('tooLarge' in result) throw new LimitError('output', `${inKiB(task.maxOutputBytes)} of output`);
  return deserialize(result.output) as Output;
}
