/** The golden ratio's fraction: its multiples spread evenly, however many there are. */
export const GOLDEN = 0.6180339887498949;

/** What a monitor's phase is computed from. */
export interface Phase {
  monitorNum: number;
  intervalSeconds: number;
  /** How far a region's checks lie behind those of the first region, as a share of the interval; 0 where left out. */
  phaseShift?: number;
}

/** How far the checks of the region at this index of a monitor's regions lie behind those of the first one. */
export function shiftOf(index: number, regions: number): number {
  return regions > 0 && index > 0 ? index / regions : 0;
}

/**
 * Where in its interval a monitor is checked, in milliseconds after the interval's start. Even over all monitors, and over
 * the regions of each.
 */
export function phaseMs({ monitorNum, intervalSeconds, phaseShift = 0 }: Phase): number {
  return Math.floor(((monitorNum * GOLDEN + phaseShift) % 1) * intervalSeconds * 1000);
}

/**
 * The first moment after `after` at which a monitor is due. All its moments lie one interval apart, in its own phase:
 * neither late checks nor restarts shift them, missed ones are not made up for, and monitors made together drift apart.
 */
export function nextDue(phased: Phase, after: Date): Date {
  const interval = phased.intervalSeconds * 1000;
  const phase = phaseMs(phased);
  const passed = Math.floor((after.getTime() - phase) / interval);
  return new Date((passed + 1) * interval + phase);
}
