import type { Figures } from './figures';
import { SECOND } from './traces';

/** The nearest-rank percentile; undefined of no values. */
export function percentile(values: number[], share: number): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1];
}

const seconds = (ms: number | undefined) => (ms === undefined ? '–' : `${Math.round(ms / SECOND)} s`);
const perYear = (count: number, { monitorYears }: Figures) => count / monitorYears;

export const tableTitles = [
  ...['false/y', 'missed', 'alert p50', 'p95', 'resolve p50', 'p95'],
  ...['msg/outage', 'doubled', 'false slow/y', 'error s/d'],
];

/** One rule's line of a family's table. */
export function tableRow(figures: Figures): string[] {
  const { outages, falseAlarms, missed, toAlert, toResolve, messages, doubled, falseDegraded, uptimeErrorMs } = figures;
  return [
    perYear(falseAlarms, figures).toFixed(1),
    String(missed),
    seconds(percentile(toAlert, 0.5)),
    seconds(percentile(toAlert, 0.95)),
    seconds(percentile(toResolve, 0.5)),
    seconds(percentile(toResolve, 0.95)),
    outages > 0 ? (messages / outages).toFixed(2) : '–',
    String(doubled),
    perYear(falseDegraded, figures).toFixed(1),
    (perYear(uptimeErrorMs, figures) / SECOND / 365).toFixed(1),
  ];
}

interface Row {
  name: string;
  figures: Figures;
}

export const comparisonTitles = ['false/y', 'best peer', '', 'alert p50', 'best peer', '', 'beaten by'];

const falseOf = ({ figures }: Row) => perYear(figures.falseAlarms, figures);
const alertOf = ({ figures }: Row) => percentile(figures.toAlert, 0.5) ?? Number.POSITIVE_INFINITY;

/** One of our rules beside the best of others in each respect, and the others that are as good in both and better in one. */
export function comparisonRow(ours: Row, peers: Row[]): string[] {
  const fewest = Math.min(...peers.map(falseOf));
  const soonest = Math.min(...peers.map(alertOf));
  const better = peers.filter((peer) => {
    const [falseBy, alertBy] = [falseOf(ours) - falseOf(peer), alertOf(ours) - alertOf(peer)];
    return falseBy >= 0 && !(alertBy < 0) && (falseBy > 0 || alertBy > 0);
  });
  return [
    ...[falseOf(ours).toFixed(1), fewest.toFixed(1), falseOf(ours) <= fewest ? 'no worse' : 'WORSE'],
    ...[alertOf(ours), soonest].map((ms) => seconds(Number.isFinite(ms) ? ms : undefined)),
    alertOf(ours) <= soonest ? 'no worse' : 'WORSE',
    better.map(({ name }) => name).join(', ') || '–',
  ];
}
