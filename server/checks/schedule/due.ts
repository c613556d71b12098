/** The golden ratio's fraction: its multiples spread evenly, however many there are. */
export const GOLDEN = 0.6180339887498949;

/** Where in its interval a monitor is checked, in milliseconds after the interval's start. Even over all monitors. */
export function phaseMs(monitorNum: number, intervalSeconds: number): number {
  return Math.floor(((monitorNum * GOLDEN) % 1) * intervalSeconds * 1000);
}

/**
 * The first moment after `after` at which a monitor is due. All its moments lie one interval apart, in its own phase:
 * neither late checks nor restarts shift them, missed ones are not made up for, and monitors made together drift apart.
 */
export function nextDue(monitorNum: number, intervalSeconds: number, after: Date): Date {
  const interval = intervalSeconds * 1000;
  const phase = phaseMs(monitorNum, intervalSeconds);
  const passed = Math.floor((after.getTime() - phase) / interval);
  return new Date((passed + 1) * interval + phase);
}
