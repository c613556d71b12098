/** A slower answer says too little about the moment the database read its clock. */
const SLOWEST_SAMPLE_MS = 250;

/** The database's clock, by which everything that several machines must agree on is timed. */
export class Clock {
  private offsetMs = 0;

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
}
