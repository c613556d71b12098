// Replays every family of traces through every rule and prints a table for each.

import { DAY_MS } from '@/server/time/schema';
import { random } from '@/tests/support/random';
import { add, type Figures, figuresOf } from './figures';
import { ours } from './ours';
import { peers } from './peers';
import { families, Reader, SECOND } from './traces';

const [seed = 1, intervalSeconds = 60, repeats = 4, only = ''] = process.argv
  .slice(2)
  .map((text, index) => (index < 3 ? Number(text) : text)) as [number?, number?, number?, string?];

const columns = [
  'false/y',
  'missed',
  'alert p50',
  'p95',
  'resolve p50',
  'p95',
  'msg/outage',
  'doubled',
  'degraded/y',
  'error s/d',
];
const WIDTH = 12;

function percentile(values: number[], share: number): string {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.ceil(sorted.length * share) - 1];
  return value === undefined ? '–' : `${Math.round(value / SECOND)} s`;
}

function cellsOf(figures: Figures): string[] {
  const { monitorYears, outages, falseAlarms, missed, toAlert, toResolve, messages, doubled, degraded, uptimeErrorMs } =
    figures;
  return [
    (falseAlarms / monitorYears).toFixed(1),
    String(missed),
    percentile(toAlert, 0.5),
    percentile(toAlert, 0.95),
    percentile(toResolve, 0.5),
    percentile(toResolve, 0.95),
    outages > 0 ? (messages / outages).toFixed(2) : '–',
    String(doubled),
    (degraded / monitorYears).toFixed(1),
    (uptimeErrorMs / SECOND / (monitorYears * 365)).toFixed(1),
  ];
}

const line = (name: string, cells: string[]) =>
  console.log(name.padEnd(24) + cells.map((cell) => cell.padStart(WIDTH)).join(''));

for (const [number, family] of families.entries()) {
  const traces = Array.from({ length: repeats }, (_, repeat) =>
    family(random(seed * 1_000_003 + number * 101 + repeat)),
  );
  const [first] = traces;
  if (!first?.family.includes(only)) continue;
  const outages = traces.reduce((sum, trace) => sum + trace.outages.length, 0);
  console.log(`\n${first.family}: ${repeats} × ${first.ms / DAY_MS} days, ${outages} outages`);
  line('', columns);
  for (const rule of [...ours, ...peers]) {
    const all = traces.map((trace, repeat) => {
      const reader = new Reader(trace, random(seed * 7_919 + number * 211 + repeat));
      return figuresOf(trace, rule.replay(trace, reader, intervalSeconds), intervalSeconds);
    });
    line(rule.name, cellsOf(all.reduce(add)));
  }
}
