import { type BucketCounts, TIME_BOUNDS_MS } from '@/server/platform/metrics/time-buckets';

/** A sample: the suffix of the family's name, labels and value. */
export type Sample = [suffix: string, labels: Record<string, string>, value: number];

const escaped = (value: string) => value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');

/** Returns the text of labels between the braces, with escaped values. */
export const labelText = (labels: Record<string, string>) =>
  Object.entries(labels)
    .map(([label, value]) => `${label}="${escaped(value)}"`)
    .join(',');

/** Returns the lines of a metric family in Prometheus' text format 0.0.4. */
export function family(
  name: string,
  type: 'gauge' | 'counter' | 'histogram',
  help: string,
  samples: Sample[],
): string[] {
  const lines = samples.map(([suffix, labels, value]) => {
    const inner = labelText(labels);
    return `${name}${suffix}${inner && `{${inner}}`} ${value}`;
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines];
}

/** Returns the lines of a gauge with one value. */
export const gauge = (name: string, help: string, value: number) => family(name, 'gauge', help, [['', {}, value]]);

/** Returns the samples of a histogram with cumulative buckets (`le`) in seconds; none for workers of other versions with different buckets. */
export function histogram(
  labels: Record<string, string>,
  { counts, totalMs }: BucketCounts,
  bounds: readonly number[] = TIME_BOUNDS_MS,
): Sample[] {
  if (counts.length !== bounds.length + 1) return [];
  let sum = 0;
  const buckets = counts.map((count, index): Sample => {
    sum += count;
    const bound = bounds[index];
    return ['_bucket', { ...labels, le: bound === undefined ? '+Inf' : String(bound / 1000) }, sum];
  });
  return [...buckets, ['_sum', labels, totalMs / 1000], ['_count', labels, sum]];
}

/** Returns a sample for each value of a label, 0 if nothing was counted, because alerts need samples that are always there. */
export function countedBy(label: string, values: readonly string[], counts: Map<string, number>): Sample[] {
  const all = new Set([...values, ...counts.keys()]);
  return [...all].map((value): Sample => ['', { [label]: value }, counts.get(value) ?? 0]);
}

/** Returns a response with these lines. */
export function prometheusText(lines: string[], headers: HeadersInit): Response {
  const answer = new Headers(headers);
  answer.set('cache-control', 'no-store');
  answer.set('content-type', 'text/plain; version=0.0.4; charset=utf-8');
  return new Response(`${lines.join('\n')}\n`, { headers: answer });
}
