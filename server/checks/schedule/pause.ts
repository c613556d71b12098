/** Measures the time since an event, even if the machine sleeps meanwhile. */
export class Pause {
  private steady = Number.NEGATIVE_INFINITY;
  private wall = Number.NEGATIVE_INFINITY;

  /** Records that the event happens now. */
  end(): void {
    this.steady = performance.now();
    this.wall = Date.now();
  }

  /** In milliseconds. The maximum of two clocks: the monotonic clock stops while the machine sleeps, and the wall clock may be set back. */
  get lengthMs(): number {
    return Math.max(performance.now() - this.steady, Date.now() - this.wall);
  }
}
