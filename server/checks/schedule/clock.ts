/** A slower response of the database is not used, because its round trip makes the time too uncertain. */
const SLOWEST_SAMPLE_MS = 250;
/** A larger backward step means that somebody set the database's clock back. */
const SET_BACK_MS = 5_000;

/** The database's clock, which times everything that several machines have to agree on. */
export class Clock {
  private offsetMs = 0;
  /** The last time that the database returned, and when it arrived by the monotonic clock. */
  private last: { databaseMs: number; answeredAt: number } | null = null;

  /** @param slowestSampleMs the longest round trip of a sample */
  constructor(private readonly slowestSampleMs = SLOWEST_SAMPLE_MS) {}

  /** By how much this machine's clock is ahead. */
  get aheadMs(): number {
    return -this.offsetMs;
  }

  now(): Date {
    return new Date(Date.now() + this.offsetMs);
  }

  /**
   * Adjusts to a sample of the database's time. Ignores differences within half the round trip, which is the maximum error, so that the clock does
   * not jitter.
   * @param databaseNow the value of `clock_timestamp()`
   * @param asked when the query was sent, by `Date.now()`
   */
  sample(databaseNow: Date, asked: number): void {
    const answered = Date.now();
    const roundTrip = answered - asked;
    const offset = databaseNow.getTime() - (asked + answered) / 2;
    if (roundTrip <= this.slowestSampleMs && Math.abs(offset - this.offsetMs) > roundTrip / 2 + 1)
      this.offsetMs = offset;
  }

  /**
   * Returns whether the database's clock was set back since the last call. Returns true for the first call, because what happened before this process
   * is unknown.
   * @param databaseNow the value of `clock_timestamp()`
   * @param askedAt when the query was sent, by `performance.now()`
   */
  wasSetBack(databaseNow: Date, askedAt: number): boolean {
    const { last } = this;
    this.last = { databaseMs: databaseNow.getTime(), answeredAt: performance.now() };
    if (!last) return true;
    return databaseNow.getTime() < last.databaseMs + (askedAt - last.answeredAt) - SET_BACK_MS;
  }
}

/** Measures the time since an event, even if the machine sleeps meanwhile. */
export class Stopwatch {
  private steady = Number.NEGATIVE_INFINITY;
  private wall = Number.NEGATIVE_INFINITY;

  /** Records that the event happens now. */
  restart(): void {
    this.steady = performance.now();
    this.wall = Date.now();
  }

  /**
   * The milliseconds since the last event; infinite before the first one. The maximum of two clocks: the monotonic clock stops while the machine
   * sleeps, and the wall clock may be set back.
   */
  get elapsedMs(): number {
    return Math.max(performance.now() - this.steady, Date.now() - this.wall);
  }
}
