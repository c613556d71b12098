import { OwnError } from '../own-error';

const AWAY_MS = 5_000;

/** The store did not respond to an earlier call, so this call failed without trying. */
export class StoreAwayError extends OwnError {
  static override readonly kind: string = 'StoreAwayError';

  constructor() {
    super('The key-value store did not answer a moment ago');
  }
}

/**
 * A circuit breaker for a store that would block every request: after one caller has timed out, the others fail at once, and one every 5 s retries.
 */
export class Outage {
  /** The time before which calls fail without trying, by the monotonic clock; 0 while the store responds. */
  private until = 0;

  /**
   * @param isAnswer whether an error was sent by the store itself, so that the store responds
   * @param now a clock in milliseconds
   */
  constructor(
    private readonly isAnswer: (error: unknown) => boolean,
    private readonly now = () => performance.now(),
  ) {}

  /**
   * Runs `work`, unless the store did not respond to another call less than 5 s ago.
   * @throws StoreAwayError if `work` was not called; or the error of `work`
   */
  async ask<T>(work: () => Promise<T>): Promise<T> {
    if (this.now() < this.until) throw new StoreAwayError();
    if (this.until > 0) this.until = this.now() + AWAY_MS;
    try {
      const answer = await work();
      this.until = 0;
      return answer;
    } catch (error) {
      this.until = this.isAnswer(error) ? 0 : this.now() + AWAY_MS;
      throw error;
    }
  }
}
