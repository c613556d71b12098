import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { compileExpressions } from '@/server/monitors/config/expressions';
import { evaluate } from '@/server/monitors/types/evaluate';
import { rulesOf } from '@/server/monitors/types/rules';
import type { Question } from './evaluation-threads';

/** Evidence as the probe made it: a thread receives a Buffer as a plain array of bytes. */
function withBuffers(evidence: unknown): unknown {
  if (typeof evidence !== 'object' || evidence === null || Array.isArray(evidence)) return evidence;
  const entries = Object.entries(evidence).map(([name, value]: [string, unknown]) => {
    return [name, value instanceof Uint8Array ? Buffer.from(value) : value];
  });
  return Object.fromEntries(entries);
}

function answer(question: Question): unknown {
  if (question.kind === 'compile') return compileExpressions(question.expressions);
  const { kind, target, at } = question;
  const observation = { ...question.observation, evidence: withBuffers(question.observation.evidence) };
  return kind === 'explain' ? rulesOf(target, observation, at) : evaluate(target, observation, at);
}

/** The number that Linux knows this thread by; null elsewhere. */
function threadNumber(): number | null {
  try {
    const [, thread] = /\/task\/(\d+)$/.exec(readlinkSync('/proc/thread-self')) ?? [];
    return thread === undefined ? null : Number(thread);
  } catch {
    return null;
  }
}

/** Lets the thread that schedules checks go first. Linux alone has a priority for each thread; elsewhere nothing changes. */
function giveWay(thread: number | null): void {
  try {
    if (thread !== null) setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Not allowed here.
  }
}

const thread = threadNumber();
giveWay(thread);
// `evaluation-threads.ts` terminates this thread if an answer takes too long; the process continues.
parentPort?.on('message', (question: Question) => parentPort?.postMessage(answer(question)));
parentPort?.postMessage({ thread });
