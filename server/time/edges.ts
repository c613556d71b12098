/** A time range with an exclusive end. */
export interface Period {
  startsAt: Date;
  endsAt: Date;
}

/** Checks that maintenance paused resume at times spread over this period after its end. */
export const RESUME_WITHIN_SECONDS = 10;

/** The delay of work at the end of a window, because timers may fire slightly early. */
export const AFTER_END_MS = 50;

/** Alternating starts and ends of time ranges in strictly ascending order: start, end, start, end … */
export type Edges = readonly Date[];

/** Returns the number of edges at or before a given time. */
const passed = (edges: Edges, at: Date) => {
  const next = edges.findIndex((edge) => edge > at);
  return next < 0 ? edges.length : next;
};

/** Returns whether a given time is inside a range, including its start but not its end. */
export function isInside(edges: Edges, at: Date): boolean {
  return passed(edges, at) % 2 === 1;
}

/** Returns the range that contains a given time; null if none does. */
export function periodAt(edges: Edges, at: Date): Period | null {
  const next = passed(edges, at);
  const [startsAt, endsAt] = [edges[next - 1], edges[next]];
  return next % 2 === 1 && startsAt && endsAt ? { startsAt, endsAt } : null;
}

/** Returns the first edge after a given time; null if there is none. */
export function nextEdge(edges: Edges, at: Date): Date | null {
  return edges[passed(edges, at)] ?? null;
}
