import type { Figures } from './figures';
import { SECOND } from './traces';

/** Returns the nearest-rank percentile; undefined without values. */
export function percentile(values: number[], share: number): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1];
}

const seconds = (ms: number | undefined) => (ms === undefined ? '–' : `${Math.round(ms / SECOND)} s`);
const perYear = (count: number, { monitorYears }: Figures) => count / monitorYears;

export const tableTitles = [
  ...['false/y', 'missed', 'alert p50', 'p95', 'resolve p50', 'p95'],
  ...['msg/outage', 'doubled', 'false up', 'false slow/y', 'error s/d'],
];

/** Returns the row of a rule in the table of a family. */
export function tableRow(figures: Figures): string[] {
  const {
    outages,
    falseAlarms,
    missed,
    falseRecoveries,
    toAlert,
    toResolve,
    messages,
    doubled,
    falseDegraded,
    uptimeErrorMs,
  } = figures;
  return [
    perYear(falseAlarms, figures).toFixed(1),
    String(missed),
    seconds(percentile(toAlert, 0.5)),
    seconds(percentile(toAlert, 0.95)),
    seconds(percentile(toResolve, 0.5)),
    seconds(percentile(toResolve, 0.95)),
    outages > 0 ? (messages / outages).toFixed(2) : '–',
    String(doubled),
    String(falseRecoveries),
    perYear(falseDegraded, figures).toFixed(1),
    (perYear(uptimeErrorMs, figures) / SECOND / 365).toFixed(1),
  ];
}
