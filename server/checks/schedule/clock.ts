/** A slower answer says too little about the moment the database read its clock. */
const SLOWEST_SAMPLE_MS = 250;
/** The database's clock goes back by this much only where somebody sets it back. */
const SET_BACK_MS = 5_000;

/** The database's clock, by which everything that several machines must agree on is timed. */
export class Clock {
  private offsetMs = 0;
  /** What the database said last, and when that had arrived by the steady clock. */
  private last: { databaseMs: number; answeredAt: number } | null = null;

  now(): Date {
    return new Date(Date.now() + this.offsetMs);
  }

  /**
   * Takes over what the database said. The error of a sample is at most half its round trip: a difference within that
   * moves nothing, so that the clock does not tremble.
   *
   * @param databaseNow what `clock_timestamp()` said
   * @param asked when it was asked, by `Date.now()`
   */
  sample(databaseNow: Date, asked: number): void {
    const answered = Date.now();
    const roundTrip = answered - asked;
    const offset = databaseNow.getTime() - (asked + answered) / 2;
    if (roundTrip <= SLOWEST_SAMPLE_MS && Math.abs(offset - this.offsetMs) > roundTrip / 2 + 1) this.offsetMs = offset;
  }

  /**
   * Whether the database's clock was set back since it was asked last. The first answer counts as such: what happened
   * before this process is not known.
   *
   * @param databaseNow what `clock_timestamp()` said
   * @param askedAt when it was asked, by `performance.now()`
   */
  wasSetBack(databaseNow: Date, askedAt: number): boolean {
    const { last } = this;
    this.last = { databaseMs: databaseNow.getTime(), answeredAt: performance.now() };
    if (!last) return true;
    return databaseNow.getTime() < last.databaseMs + (askedAt - last.answeredAt) - SET_BACK_MS;
  }
}
