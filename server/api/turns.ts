import { AppError } from '@/server/platform/errors';
import { FairPool, type Share } from '@/server/platform/fair-pool';
import { nextLoopTurn } from './loop-turns';

interface TurnsOptions {
  /** The purpose of the slots; the label of their metrics. */
  kind: 'page' | 'call';
  /** The number of requests that are answered concurrently. */
  places: number;
  /** The maximum number of requests that wait. */
  mostWaiting: number;
  /** The minimum Retry-After, so that retries do not add to the load. */
  retryAfterSeconds: number;
}

/** A request that waits for its turn. */
type Waiter = AbortController;

/** A request that takes longer waits for the database, a target or a slow client, and releases its slot. */
const LONGEST_MS = 1_000;

/** Limits the requests that are answered concurrently on the main thread. Teams or networks share the slots fairly. */
export class Turns {
  private readonly pool: FairPool;
  /** Waiting requests by team or network, oldest first. */
  private readonly lines = new Map<string, Waiter[]>();
  private waiting = 0;

  constructor(private readonly options: TurnsOptions) {
    this.pool = new FairPool({ kind: options.kind, places: options.places });
  }

  /**
   * Waits for a slot. The returned function releases it; otherwise it is released after a second.
   * @param gone aborted when the client disconnects; `enter` then rejects with the signal's reason
   * @throws AppError UNAVAILABLE if too many requests wait
   */
  async enter(share: Share, gone: AbortSignal): Promise<() => void> {
    const leave = this.pool.tryEnter(share) ?? (await this.wait(share, gone));
    await nextLoopTurn();
    const timer = setTimeout(() => end(), LONGEST_MS);
    let end = () => {
      clearTimeout(timer);
      end = () => undefined;
      leave();
    };
    return () => end();
  }

  private async wait(share: Share, gone: AbortSignal): Promise<() => void> {
    const waiter: Waiter = new AbortController();
    const line = this.lines.get(share.team) ?? [];
    this.lines.set(share.team, line);
    line.push(waiter);
    this.waiting += 1;
    if (this.waiting > this.options.mostWaiting) this.dropOne();
    try {
      return await this.pool.enter(share, AbortSignal.any([gone, waiter.signal]));
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
