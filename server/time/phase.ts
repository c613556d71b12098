/** The fractional part of the golden ratio. Its multiples modulo 1 are evenly distributed, however many there are. */
export const GOLDEN = 0.6180339887498949;

/** The inputs of a monitor's phase. */
export interface Phase {
  monitorNum: number;
  intervalSeconds: number;
  /** How far a region's checks lie behind those of the first region, as a fraction of the interval; 0 by default. */
  phaseShift?: number;
}

/** Returns the `phaseShift` of the region at this index; 0 for an unknown region. */
export function shiftOf(index: number, regions: number): number {
  return regions > 0 && index > 0 ? index / regions : 0;
}

/**
 * Returns the position of a monitor's checks in its interval, in milliseconds after the start of the interval. Positions are evenly distributed over
 * all monitors, and over the regions of each.
 */
export function phaseMs({ monitorNum, intervalSeconds, phaseShift = 0 }: Phase): number {
  return Math.floor(((monitorNum * GOLDEN + phaseShift) % 1) * intervalSeconds * 1000);
}

/**
 * Returns the first time after `after` at which a monitor is due. Due times are one interval apart: late checks and restarts do not shift them, and
 * missed checks are skipped. The times of different monitors are spread over the interval.
 */
export function nextDue(phased: Phase, after: Date): Date {
  const interval = phased.intervalSeconds * 1000;
  const phase = phaseMs(phased);
  const passed = Math.floor((after.getTime() - phase) / interval);
  return new Date((passed + 1) * interval + phase);
}
