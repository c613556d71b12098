import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { deserialize, serialize } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import type { BoundedTask } from './task';

export interface TaskRequest {
  task: string;
  input: Uint8Array;
  maxOutputBytes: number;
}

/** The result of a task: the serialized output, its size if it is too large, or the error that the task threw. */
export type TaskResult = { output: Uint8Array } | { tooLarge: true } | { thrown: string };

/** Returns the Linux thread ID of this thread; null on other systems. */
function threadNumber(): number | null {
  try {
    const [, thread] = /\/task\/(\d+)$/.exec(readlinkSync('/proc/thread-self')) ?? [];
    return thread === undefined ? null : Number(thread);
  } catch {
    return null;
  }
}

/** Lowers the priority of this thread, so that the thread which schedules checks runs first. Only Linux has priorities per thread. */
function lowerPriority(thread: number | null): void {
  try {
    if (thread !== null) setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process may not change priorities.
  }
}

async function runTask({ run }: BoundedTask<unknown, unknown>, request: TaskRequest): Promise<TaskResult> {
  const { input, maxOutputBytes } = request;
  try {
    const output = serialize(await run(deserialize(input)));
    return output.byteLength <= maxOutputBytes ? { output } : { tooLarge: true };
  } catch (error) {
    return { thrown: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/**
 * Runs tasks in this thread or process, which `run-bounded.ts` started and terminates if a result takes too long. Answers each message from there with
 * one message.
 */
// biome-ignore lint/suspicious/noExplicitAny: tasks of all types are in one list, and each gets the input that was serialized for it.
export function serveTasks(tasks: BoundedTask<any, any>[]): void {
  const byName = new Map(tasks.map((task) => [task.name, task]));
  const thread = threadNumber();
  lowerPriority(thread);
  const answer = async (request: TaskRequest) => {
    const task = byName.get(request.task);
    return task ? runTask(task, request) : { thrown: 'It is not listed in app/threads.ts' };
  };
  parentPort?.on('message', async (request: TaskRequest) => {
    const result = await answer(request);
    parentPort?.postMessage(result, 'output' in result ? [result.output.buffer as ArrayBuffer] : []);
  });
  parentPort?.postMessage({ thread });
  if (parentPort) return;
  process.on('message', async (request: TaskRequest) => process.send?.(await answer(request)));
  process.send?.({ thread });
}
