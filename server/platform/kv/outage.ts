const AWAY_MS = 5_000;

/** The store did not answer somebody a moment ago; nobody was made to wait for it again. */
export class StoreAwayError extends Error {
  override readonly name = 'StoreAwayError';

  constructor() {
    super('The key-value store did not answer a moment ago');
  }
}

/**
 * Stands before a store whose silence would hold up every request: once somebody waited for it in vain, the others are
 * told so at once, and one in five seconds tries again.
 */
export class Outage {
  /** No call before this, by the steady clock; 0 while the store answers. */
  private until = 0;

  /** `isAnswer` says of an error that the store sent it; `now` is a clock in milliseconds. */
  constructor(
    private readonly isAnswer: (error: unknown) => boolean,
    private readonly now = () => performance.now(),
  ) {}

  /** Does `work`. Throws what it throws, or `StoreAwayError` without trying. */
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
