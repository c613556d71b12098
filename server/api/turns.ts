import { AppError } from '@/server/platform/errors';
import { FairPool, type Share } from '@/server/platform/fair-pool';
import { nextRequestTurn } from './request-turns';

interface TurnsOptions {
  /** The purpose of the slots; the label of their metrics. */
  kind: 'page' | 'call';
  /** The number of requests that are answered concurrently. */
  slots: number;
  /** The maximum number of requests whose answer has begun or waits for something else, each of which takes memory. */
  mostUnfinished?: number;
  /** The maximum number of requests that wait. */
  mostWaiting: number;
  /** The minimum Retry-After, so that retries do not add to the load. */
  retryAfterSeconds: number;
}

/** A request that waits for its turn. */
type Waiter = AbortController;

/** The maximum time for which a request holds its slot. One that takes longer waits for the database, a target or a slow client. */
const LONGEST_MS = 1_000;

function once(release: () => void): () => void {
  let isReleased = false;
  return () => {
    if (!isReleased) release();
    isReleased = true;
  };
}

/** Limits how many requests are answered concurrently on the main thread. Teams or networks share the slots fairly. */
export class Turns {
  private readonly pool: FairPool;
  private readonly unfinished: FairPool | null;
  /** Waiting requests by team or network, oldest first. */
  private readonly lines = new Map<string, Waiter[]>();
  private waiting = 0;

  constructor(private readonly options: TurnsOptions) {
    const { kind, slots, mostUnfinished } = options;
    this.pool = new FairPool({ kind, slots });
    this.unfinished =
      mostUnfinished === undefined ? null : new FairPool({ kind, slots: mostUnfinished, onWait: () => {} });
  }

  /**
   * Waits for a slot. It is released after a second at the latest; call the returned function once the request is finished.
   * @param gone aborted when the client disconnects; `enter` then rejects with the signal's reason
   * @throws AppError UNAVAILABLE if too many requests wait
   */
  async enter(share: Share, gone: AbortSignal): Promise<() => void> {
    const { unfinished, pool } = this;
    const finish = once(
      unfinished ? (unfinished.tryEnter(share) ?? (await this.wait(unfinished, share, gone))) : () => {},
    );
    let release: () => void;
    try {
      release = once(pool.tryEnter(share) ?? (await this.wait(pool, share, gone)));
    } catch (error) {
      finish();
      throw error;
    }
    await nextRequestTurn();
    const timer = setTimeout(release, LONGEST_MS);
    return () => {
      clearTimeout(timer);
      release();
      finish();
    };
  }

  private async wait(pool: FairPool, share: Share, gone: AbortSignal): Promise<() => void> {
    const waiter: Waiter = new AbortController();
    const line = this.lines.get(share.team) ?? [];
    this.lines.set(share.team, line);
    line.push(waiter);
    this.waiting += 1;
    if (this.waiting > this.options.mostWaiting) this.dropOne();
    try {
      return await pool.enter(share, AbortSignal.any([gone, waiter.signal]));
    } finally {
      this.remove(share.team, waiter);
    }
  }

  private remove(team: string, waiter: Waiter): void {
    const line = this.lines.get(team) ?? [];
    const index = line.indexOf(waiter);
    if (index === -1) return;
    line.splice(index, 1);
    if (line.length === 0) this.lines.delete(team);
    this.waiting -= 1;
  }

  /** Rejects the newest waiting request of the team or network with the most of them, so that a flood does not fill the queue for others. */
  private dropOne(): void {
    const [team = '', line = []] = [...this.lines].reduce((one, other) =>
      other[1].length > one[1].length ? other : one,
    );
    const latest = line.at(-1);
    if (!latest) return;
    this.remove(team, latest);
    const { kind, retryAfterSeconds } = this.options;
    const message = `Too many ${kind}s are being requested. Try again in a few seconds.`;
    latest.abort(new AppError('UNAVAILABLE', message, { retryAfterSeconds }));
  }
}
