import { formatLongDuration } from '@/app/_components/format';
import type { State } from '@/app/_components/status/states';
import type { Report } from '@/server/reports/schema';

type Budget = Pick<Report['overall'], 'budgetSeconds' | 'leftSeconds' | 'burnRate'>;

/** The part of the error budget that is left, or by how much the objective was missed. */
export function budgetWords({ budgetSeconds, leftSeconds }: Budget): { share: string; time: string } {
  if (budgetSeconds === null || leftSeconds === null) return { share: '–', time: 'No data' };
  if (leftSeconds < 0) return { share: '0 %', time: `exceeded by ${formatLongDuration(-leftSeconds)}` };
  const share = budgetSeconds === 0 ? 100 : Math.floor((leftSeconds / budgetSeconds) * 100 + 1e-9);
  return { share: `${share} %`, time: `${formatLongDuration(leftSeconds)} left` };
}

/** A burn rate with two decimals, rounded up, so that a used-up budget never reads as less than 1: "0.43×". */
export function burnWords({ burnRate }: Budget): string {
  if (burnRate === null) return '–';
  return `${(Math.ceil(burnRate * 100 - 1e-9) / 100).toFixed(2)}×`;
}

/** How a budget is marked: met, more than three quarters used, or missed. */
export function budgetState({ leftSeconds, burnRate }: Budget): State {
  if (leftSeconds === null) return 'pending';
  if (leftSeconds < 0) return 'down';
  return (burnRate ?? 0) > 0.75 ? 'degraded' : 'up';
}

/** A smaller part of the span is named, because its figures say little about the rest. */
const USUAL_SHARE = 0.95;

type Known = Omit<Report['overall'], keyof Budget>;

/** How much of a report's span the figures of monitors cover, unless that is nearly all of it: "data for 3 days". */
export function coverageWords(known: Known, { from, to }: Pick<Report, 'from' | 'to'>, monitors = 1): string | null {
  const seconds = known.upSeconds + known.downSeconds + known.maintenanceSeconds + known.excludedSeconds;
  const span = ((Date.parse(to) - Date.parse(from)) / 1000) * monitors;
  if (seconds >= USUAL_SHARE * span) return null;
  return `data for ${formatLongDuration(seconds / monitors)}${monitors > 1 ? ' on average' : ''}`;
}

/** The words beside the mark. */
export const budgetMark: Record<'up' | 'degraded' | 'down' | 'pending', string> = {
  up: 'Met',
  degraded: 'At risk',
  down: 'Missed',
  pending: 'No data',
};

/** The days of a report (UTC): "1 Nov 2026 to 27 Nov 2026". */
export function spanWords({ from, to }: Pick<Report, 'from' | 'to'>): string {
  const format = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
  // The end of the last day belongs to it.
  return `${format.format(new Date(from))} to ${format.format(new Date(Date.parse(to) - 1))}`;
}
