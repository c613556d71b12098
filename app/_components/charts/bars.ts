import { type State, states } from '@/app/_components/status/states';

/** A bar of a strip: the worst status in its time slot, or null without data. */
export type Tick = State | null;

/** The height of each status as a fraction, by severity. Other statuses are two-pixel lines. */
const severity: Partial<Record<State, number>> = {
  down: 1,
  degraded: 0.72,
  unknown: 0.72,
  maintenance: 0.45,
  up: 0.45,
};

/** The heights in the lane under a chart, which leave space below the chart's line. */
export const laneSeverity: Partial<Record<State, number>> = {
  down: 0.86,
  degraded: 0.5,
  unknown: 0.5,
  maintenance: 0.29,
  up: 0.29,
};

export interface BarOptions {
  height: number;
  /** The distance between bars, and the width of each. */
  pitch: number;
  width: number;
  /** The height of the line for a slot without a verdict. */
  line?: number;
  heights?: Partial<Record<State, number>>;
}

/** A path with one fill, so that a strip of any length has at most six elements. */
export interface BarPath {
  fill: 'down' | 'degraded' | 'unknown' | 'maintenance' | 'up' | 'pending' | 'none';
  d: string;
}

function fillOf(tick: Tick): BarPath['fill'] {
  return tick === null || tick === 'paused' ? 'none' : tick;
}

const round = (value: number) => Math.round(value * 100) / 100;

/** The segments of one bar as fractions of its height, from the top: unknown is dashed, maintenance is split in two. */
function pieces(tick: Tick): [from: number, to: number][] {
  if (tick === 'unknown')
    return [
      [0, 0.222],
      [0.389, 0.611],
      [0.778, 1],
    ];
  if (tick === 'maintenance')
    return [
      [0, 0.4],
      [0.58, 1],
    ];
  return [[0, 1]];
}

/** The ticks of a strip or bar as SVG paths, left to right from x = 0. */
export function barPaths(ticks: Tick[], { height, pitch, width, line = 2, heights = severity }: BarOptions): BarPath[] {
  const paths = new Map<BarPath['fill'], string>();
  ticks.forEach((tick, index) => {
    const share = tick === null ? undefined : heights[tick];
    const tall = share === undefined ? line : height * share;
    const x = round(index * pitch);
    let d = '';
    for (const [from, to] of pieces(tick)) {
      const top = round(height - tall + tall * from);
      d += `M${x} ${top}h${width}v${round(tall * (to - from))}h-${width}z`;
    }
    const fill = fillOf(tick);
    paths.set(fill, (paths.get(fill) ?? '') + d);
  });
  return [...paths].map(([fill, d]) => ({ fill, d }));
}

/** The worst of several statuses; null if none has data. */
export function worst(ticks: Tick[]): Tick {
  return states.find((state) => ticks.includes(state)) ?? null;
}

/** The text alternative of a strip: the statuses other than "up", worst first. */
export function stripSentence(ticks: Tick[], period = 'Last 24 hours'): string {
  const seen = new Set(ticks);
  const notable = states.filter((state) => state !== 'up' && state !== 'pending' && seen.has(state));
  if (notable.length > 0) return `${period}: ${notable.join(', ')} for part of the time`;
  if (seen.has('up')) return `${period}: up${seen.has(null) || seen.has('pending') ? ', some data missing' : ''}`;
  return `${period}: no data`;
}
