/** How long ago something last happened, also where the machine slept meanwhile. */
export class Pause {
  private steady = Number.NEGATIVE_INFINITY;
  private wall = Number.NEGATIVE_INFINITY;

  /** It happens now. */
  end(): void {
    this.steady = performance.now();
    this.wall = Date.now();
  }

  /** In milliseconds. The steady clock stands still in a machine that sleeps, and the other one may be set back. */
  get lengthMs(): number {
    return Math.max(performance.now() - this.steady, Date.now() - this.wall);
  }
}
