/** A stretch of time; the end is not part of it. */
export interface Period {
  startsAt: Date;
  endsAt: Date;
}

/** Checks that were stopped for a stretch of time go on within so long after its end, not all at once. */
export const RESUME_WITHIN_SECONDS = 10;

/** Delays work at the end of a window, because timers may fire a little early. */
export const AFTER_END_MS = 50;

/** Where stretches of time start and end, in turns and strictly ascending: start, end, start, end … */
export type Edges = readonly Date[];

/** How many edges have passed at a moment, the moment itself included. */
const passed = (edges: Edges, at: Date) => {
  const next = edges.findIndex((edge) => edge > at);
  return next < 0 ? edges.length : next;
};

/** Whether a moment is inside; a start is, an end is not. */
export function isInside(edges: Edges, at: Date): boolean {
  return passed(edges, at) % 2 === 1;
}

/** The start and end of the stretch that a moment is in; null outside. */
export function periodAt(edges: Edges, at: Date): Period | null {
  const next = passed(edges, at);
  const [startsAt, endsAt] = [edges[next - 1], edges[next]];
  return next % 2 === 1 && startsAt && endsAt ? { startsAt, endsAt } : null;
}

/** The first edge after a moment; null without one. */
export function nextEdge(edges: Edges, at: Date): Date | null {
  return edges[passed(edges, at)] ?? null;
}
