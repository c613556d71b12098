/** The time since an event, even if the machine slept meanwhile. */
export class Pause {
  private steady = Number.NEGATIVE_INFINITY;
  private wall = Number.NEGATIVE_INFINITY;

  /** The event happens now. */
  end(): void {
    this.steady = performance.now();
    this.wall = Date.now();
  }

  /** In milliseconds. The monotonic clock stops while the machine sleeps, and the other may be set back. */
  get lengthMs(): number {
    return Math.max(performance.now() - this.steady, Date.now() - this.wall);
  }
}
