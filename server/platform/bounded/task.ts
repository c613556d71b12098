import { OwnError } from '../own-error';
/**
 * A pure function of input that a user, a target or a provider can make costly. It runs with limits of time, memory, input and output in a thread
 * or a process, which is terminated when the task exceeds one (`run-bounded.ts`). `app/threads.ts` lists every task.
 */
export interface BoundedTask<Input, Output> {
  /** A unique name in kebab-case. */
  name: string;
  /**
   * Pure. Asynchronous only where it loads code. Input and output must be cloneable (https://html.spec.whatwg.org/multipage/structured-data.html);
   * Buffers stay Buffers.
   */
  run: (input: Input) => Output;
  /** The maximum CPU time in milliseconds. */
  budgetMs: number;
  /** The maximum size of the serialized input. */
  maxInputBytes: number;
  /** The maximum size of the serialized output. */
  maxOutputBytes: number;
  /**
   * Whether the task runs in a process of its own. A thread that exceeds its memory ends the whole process if it does so in native code, such as
   * `JSON.parse` or `split`, so a task whose input can need more than the memory of a thread runs apart.
   */
  isApart?: boolean;
  /** Whether an input is proven to be cheap, so that `run` is called directly on the caller's thread. By default no input is. */
  isSmall?: (input: Input) => boolean;
}

/** Infers the types of a task. */
export const defineTask = <Input, Output>(task: BoundedTask<Input, Output>): BoundedTask<Input, Output> => task;

export type LimitKind = 'time' | 'memory' | 'input' | 'output';

/** A bounded task exceeded one of its limits. */
export class LimitError extends OwnError {
  static override readonly kind: string = 'LimitError';
  /** @param limit the limit in words: "500 ms" */
  constructor(
    readonly kind: LimitKind,
    readonly limit: string,
  ) {
    super(`The work exceeded its limit of ${limit}`);
  }
}
