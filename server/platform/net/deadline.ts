/** What work is told of its limits: when to stop, and how to wait for a place of ours at nobody's cost. */
export interface Patience {
  signal: AbortSignal;
  waitForUs<T>(wait: () => Promise<T>): Promise<T>;
}

export interface DeadlineOptions {
  timeoutMs: number;
  /** The error that the work ends with at the deadline. */
  reason: () => Error;
  /** Ends the work sooner; its reason becomes the deadline's. */
  signal?: AbortSignal | undefined;
  /** A wider deadline that stands still as well while this one waits. */
  within?: Patience | undefined;
}

/** A time limit, and the clock it goes by. Both stand still while the work waits for a place of ours. */
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

  /** Aborts at the deadline and when the caller stops; its reason is the error to end with. */
  get signal(): AbortSignal {
    return this.stop.signal;
  }

  /** Milliseconds since the start, without those spent waiting for us. */
  now(): number {
    return (this.waits > 0 ? this.pausedAt : performance.now()) - this.startedAt;
  }

  /** Stops the clock until `wait` settles, and does as it does. Several waits at once count once. */
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

  /** The work is over: nothing aborts any more. */
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
