import { type State, states } from '@/app/_components/states';

/** A tick of a strip: the worst state of its part of the time, or null where nothing is known. */
export type Tick = State | null;

/** How much of the height a state takes; the rest are two-pixel lines. Height is severity. */
const severity: Partial<Record<State, number>> = {
  down: 1,
  degraded: 0.72,
  unknown: 0.72,
  maintenance: 0.45,
  up: 0.45,
};

/** The same in the lane under a chart, where the line above it wants a little air. */
export const laneSeverity: Partial<Record<State, number>> = {
  down: 0.86,
  degraded: 0.5,
  unknown: 0.5,
  maintenance: 0.29,
  up: 0.29,
};

export interface BarOptions {
  height: number;
  /** The distance from tick to tick, and what of it the tick fills. */
  pitch: number;
  width: number;
  /** How high the line of a part without a verdict is. */
  line?: number;
  heights?: Partial<Record<State, number>>;
}

/** One path per fill, so that a strip of any length is at most six elements. */
export interface BarPath {
  fill: 'down' | 'degraded' | 'unknown' | 'maintenance' | 'up' | 'pending' | 'none';
  d: string;
}

function fillOf(tick: Tick): BarPath['fill'] {
  return tick === null || tick === 'paused' ? 'none' : tick;
}

const round = (value: number) => Math.round(value * 100) / 100;

/** The pieces of one tick as fractions of its height, from its top: unknown is dashed, maintenance split in two. */
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

/** The worst of several ticks; null where nothing is known in any. */
export function worst(ticks: Tick[]): Tick {
  return states.find((state) => ticks.includes(state)) ?? null;
}

/** What a strip says to those who do not see it: the states that were not "up", worst first. */
export function stripSentence(ticks: Tick[], period = 'Last 24 hours'): string {
  const seen = new Set(ticks);
  const notable = states.filter((state) => state !== 'up' && state !== 'pending' && seen.has(state));
  if (notable.length > 0) return `${period}: ${notable.join(', ')} for part of it`;
  if (seen.has('up')) return `${period}: up${seen.has(null) || seen.has('pending') ? ' where there is data' : ''}`;
  return `${period}: no data`;
}
