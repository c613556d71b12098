import type { MonitorStatus } from '@/server/platform/generated/prisma/enums';

/** A stretch of time in one status; the last one of a monitor has no end yet. */
export interface Span {
  status: MonitorStatus;
  startedAt: Date;
  endedAt: Date | null;
}

export interface Stretch {
  from: Date;
  to: Date;
}

/** What is known of a monitor's past. */
export interface Known {
  /** Oldest first, each ending where the next starts. */
  spans: Span[];
  /** Until when somebody looked: an open span counts no further. Null where nobody did. */
  watchedUntil: Date | null;
  /** What people took out of its uptime, in any order. */
  exclusions: Stretch[];
}

/** A status, or time that somebody took out, whatever the status was. */
export type State = MonitorStatus | 'excluded';

/** Milliseconds by state. */
export type StateMs = Record<State, number>;

/** A piece of a span inside a range, in milliseconds since the epoch. */
interface Piece {
  state: State;
  from: number;
  to: number;
}

/** What a bar shows of several statuses: trouble before calm, and having been watched before not having been. */
const STRIP_ORDER: MonitorStatus[] = ['down', 'degraded', 'unknown', 'maintenance', 'up', 'paused', 'pending'];

/** Statuses that last without anybody looking. */
const UNWATCHED = new Set<MonitorStatus>(['paused', 'pending', 'unknown', 'maintenance']);

/** The stretches in order, those that touch made one. */
function merge(stretches: Stretch[]): { from: number; to: number }[] {
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of stretches.toSorted((a, b) => a.from.getTime() - b.from.getTime())) {
    const last = merged.at(-1);
    if (last && from.getTime() <= last.to) last.to = Math.max(last.to, to.getTime());
    else merged.push({ from: from.getTime(), to: to.getTime() });
  }
  return merged;
}

function exclude(piece: Piece, excluded: { from: number; to: number }[]): Piece[] {
  const pieces: Piece[] = [];
  let from = piece.from;
  for (const each of excluded) {
    const [start, end] = [Math.max(each.from, from), Math.min(each.to, piece.to)];
    if (end <= start) continue;
    pieces.push({ ...piece, from, to: start }, { state: 'excluded', from: start, to: end });
    from = end;
  }
  return [...pieces, { ...piece, from }].filter((each) => each.to > each.from);
}

/**
 * Cuts what is known to a range. A span that is still open counts only until `watchedUntil`: what is later was seen by
 * nobody, so it is unknown.
 */
function cut({ spans, watchedUntil, exclusions }: Known, from: Date, to: Date): Piece[] {
  const excluded = merge(exclusions);
  return spans.flatMap(({ status, startedAt, endedAt }) => {
    const start = Math.max(startedAt.getTime(), from.getTime());
    const end = Math.min(endedAt?.getTime() ?? Number.POSITIVE_INFINITY, to.getTime());
    if (end <= start) return [];
    const known = endedAt || UNWATCHED.has(status) || !watchedUntil ? end : Math.min(end, watchedUntil.getTime());
    const middle = Math.max(start, known);
    const pieces: Piece[] = [
      { state: status, from: start, to: middle },
      { state: 'unknown', from: middle, to: end },
    ];
    return excluded.length === 0
      ? pieces.filter((piece) => piece.to > piece.from)
      : pieces.flatMap((piece) => exclude(piece, excluded));
  });
}

export const noTime = (): StateMs => ({
  up: 0,
  degraded: 0,
  down: 0,
  unknown: 0,
  maintenance: 0,
  paused: 0,
  pending: 0,
  excluded: 0,
});

/** Adds `more` to `sum`. */
export function addTime(sum: StateMs, more: StateMs): void {
  for (const state of Object.keys(sum) as State[]) sum[state] += more[state];
}

/** Time in each state in `parts` equal parts from `from` on. */
export function timeInParts(
  known: Known,
  { from, partMs, parts }: { from: Date; partMs: number; parts: number },
): StateMs[] {
  const start = from.getTime();
  const sums = Array.from({ length: parts }, noTime);
  for (const piece of cut(known, from, new Date(start + parts * partMs))) {
    for (let at = piece.from; at < piece.to; ) {
      const part = Math.floor((at - start) / partMs);
      const end = Math.min(piece.to, start + (part + 1) * partMs);
      const sum = sums[part];
      if (sum) sum[piece.state] += end - at;
      at = end;
    }
  }
  return sums;
}

/** Time in each state in a range. */
export function timeIn(known: Known, { from, to }: Stretch): StateMs {
  const sum = noTime();
  for (const piece of cut(known, from, to)) sum[piece.state] += piece.to - piece.from;
  return sum;
}

export interface UptimeSeconds {
  ratio: number | null;
  upSeconds: number;
  downSeconds: number;
  maintenanceSeconds: number;
  unknownSeconds: number;
  excludedSeconds: number;
}

/**
 * Uptime of the time in each state: ratio = up ÷ (up + down), time-weighted; degraded counts as up; maintenance, paused,
 * pending, unknown and excluded time is in neither; null where nothing is known. Seconds.
 */
export function toUptime(time: StateMs): UptimeSeconds {
  const upSeconds = (time.up + time.degraded) / 1000;
  const downSeconds = time.down / 1000;
  const known = upSeconds + downSeconds;
  return {
    ratio: known > 0 ? upSeconds / known : null,
    upSeconds,
    downSeconds,
    maintenanceSeconds: time.maintenance / 1000,
    unknownSeconds: time.unknown / 1000,
    excludedSeconds: time.excluded / 1000,
  };
}

/** What a bar shows of a part of the time: the status that matters most in it, or null where there is none. */
export function worstOf(time: StateMs): MonitorStatus | null {
  return STRIP_ORDER.find((status) => time[status] > 0) ?? null;
}

export interface StripRange extends Stretch {
  parts: number;
  /** Nothing is known of what is later, however long the last part is. */
  now: Date;
}

/** The range in `parts` equal parts, each with the status that matters most in it, or null where there is none. */
export function stripFromSpans(known: Known, { from, to, parts, now }: StripRange): (MonitorStatus | null)[] {
  const strip = new Array<MonitorStatus | null>(parts).fill(null);
  const width = (to.getTime() - from.getTime()) / parts;
  for (const { state, ...piece } of cut(known, from, now < to ? now : to)) {
    if (state === 'excluded') continue;
    const first = Math.floor((piece.from - from.getTime()) / width);
    const last = Math.min(parts - 1, Math.ceil((piece.to - from.getTime()) / width) - 1);
    for (let part = first; part <= last; part += 1) {
      const present = strip[part] ?? null;
      const outranks = present === null || STRIP_ORDER.indexOf(state) < STRIP_ORDER.indexOf(present);
      if (outranks) strip[part] = state;
    }
  }
  return strip;
}
