// Replays every family of traces through our rules and prints a table for each.
import { DAY_MS } from '@/server/time/schema';
import { random } from '@/tests/support/random';
import { add, type Figures, figuresOf } from './figures';
import { ours } from './ours';
import { type Rule, replay } from './replay';
import { tableRow, tableTitles } from './table';
import { families, Reader, type Trace } from './traces';

const [seed = 1, intervalSeconds = 60, repeats = 1, only = ''] = process.argv
  .slice(2)
  .map((text, index) => (index < 3 ? Number(text) : text)) as [number?, number?, number?, string?];

function figuresBy(rule: Rule, traces: Trace[], number: number): Figures | null {
  const all = traces.flatMap((trace, repeat) => {
    const reader = new Reader(trace, seed * 7_919 + number * 211 + repeat);
    const replayed = replay(rule, trace, reader, intervalSeconds);
    return replayed ? [figuresOf(trace, replayed, rule.intervalSeconds ?? intervalSeconds)] : [];
  });
  return all.length > 0 ? all.reduce(add) : null;
}

const line = (name: string, cells: string[], width: number) =>
  console.log(name.padEnd(width) + cells.map((cell) => ` ${cell.padStart(12)}`).join(''));

for (const [number, family] of families.entries()) {
  const traces = Array.from({ length: repeats }, (_, repeat) =>
    family(random(seed * 1_000_003 + number * 101 + repeat)),
  );
  const [first] = traces;
  if (!first?.family.includes(only)) continue;
  const outages = traces.reduce((sum, trace) => sum + trace.outages.length, 0);
  console.log(`\n${first.family}: ${repeats} × ${first.ms / DAY_MS} days, ${outages} outages`);
  line('', tableTitles, 24);
  for (const rule of ours) {
    const figures = figuresBy(rule, traces, number);
    if (figures) line(rule.name, tableRow(figures), 24);
  }
}
