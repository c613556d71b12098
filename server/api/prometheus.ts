/** What stands behind the family's name, its labels, and the value. */
export type Sample = [suffix: string, labels: Record<string, string>, value: number];

/** The lines of a family in Prometheus' text format 0.0.4; a label's value is escaped as it asks. */
export function family(
  name: string,
  type: 'gauge' | 'counter' | 'histogram',
  help: string,
  samples: Sample[],
): string[] {
  const escaped = (value: string) => value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');
  const lines = samples.map(([suffix, labels, value]) => {
    const inner = Object.entries(labels).map(([label, of]) => `${label}="${escaped(of)}"`);
    return `${name}${suffix}${inner.length > 0 ? `{${inner}}` : ''} ${value}`;
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines];
}

/** The lines of a gauge with one value. */
export const gauge = (name: string, help: string, value: number) => family(name, 'gauge', help, [['', {}, value]]);
