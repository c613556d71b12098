/** The limits of work: a signal that ends it, and a way to wait for a slot with the clock paused. */
export interface Patience {
  signal: AbortSignal;
  waitForUs<T>(wait: () => Promise<T>): Promise<T>;
}

export interface DeadlineOptions {
  timeoutMs: number;
  /** The error at the deadline. */
  reason: () => Error;
  /** Ends the work early; its reason replaces the deadline's error. */
  signal?: AbortSignal | undefined;
  /** An outer deadline that is paused together with this one. */
  within?: Patience | undefined;
}

/** A time limit for work, with a clock that is paused while the work waits for a slot. */
export class Deadline implements Patience {
  private readonly stop = new AbortController();
  private readonly outer: AbortSignal[];
  private readonly within: Patience | undefined;
  private readonly reason: () => Error;
  private timer: NodeJS.Timeout | undefined;
  private ended = false;
  private readonly timeoutMs: number;
  private startedAt = performance.now();
  private pausedAt = 0;
  private waits = 0;

  constructor({ timeoutMs, reason, signal, within }: DeadlineOptions) {
    this.timeoutMs = timeoutMs;
    this.reason = reason;
    this.within = within;
    this.outer = [signal, within?.signal].filter((each) => each !== undefined);
    for (const each of this.outer) each.throwIfAborted();
    for (const each of this.outer) each.addEventListener('abort', this.cancel);
    this.run();
  }

  /** Aborts at the deadline and when the caller stops. Its reason is the error to throw. */
  get signal(): AbortSignal {
    return this.stop.signal;
  }

  /** Milliseconds since the start, without waiting for slots. */
  now(): number {
    return (this.waits > 0 ? this.pausedAt : performance.now()) - this.startedAt;
  }

  /** Pauses the clock until `wait` settles, and settles as it does. Overlapping waits count once. */
  async waitForUs<T>(wait: () => Promise<T>): Promise<T> {
    this.pause();
    try {
      return await (this.within ? this.within.waitForUs(wait) : wait());
    } finally {
      this.resume();
    }
  }

  /** Ends the work with this error, if it has not ended yet. */
  abort(reason: Error): void {
    if (!this.ended) this.stop.abort(reason);
  }

  /** Stops the clock, because the work is done: nothing aborts the signal any more. */
  end(): void {
    this.ended = true;
    clearTimeout(this.timer);
    for (const each of this.outer) each.removeEventListener('abort', this.cancel);
  }

  private readonly cancel = () => this.stop.abort(this.outer.find(({ aborted }) => aborted)?.reason);

  private run(): void {
    if (this.ended) return;
    this.timer = setTimeout(() => this.stop.abort(this.reason()), this.timeoutMs - this.now());
  }

  private pause(): void {
    this.waits += 1;
    if (this.waits > 1) return;
    clearTimeout(this.timer);
    this.pausedAt = performance.now();
  }

  private resume(): void {
    this.waits -= 1;
    if (this.waits > 0) return;
    this.startedAt += performance.now() - this.pausedAt;
    this.run();
  }
}
