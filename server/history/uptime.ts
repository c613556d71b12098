import type { MonitorStatus } from '@/server/platform/generated/prisma/enums';

/** Time in one status; the last span of a monitor is open. */
export interface Span {
  status: MonitorStatus;
  startedAt: Date;
  endedAt: Date | null;
}

export interface TimeRange {
  from: Date;
  to: Date;
}

/** A status, or `excluded` for time that a user excluded, whatever its status was. */
export type State = MonitorStatus | 'excluded';

/** Milliseconds by state. */
export type StateMs = Record<State, number>;

/** Time in a state, in milliseconds since the epoch. */
export interface Piece {
  state: State;
  from: number;
  to: number;
}

/** A monitor's known past. */
export interface Known {
  /** Oldest first and contiguous. */
  spans: Span[];
  /** Until when the last check is valid: an open span counts only until then, later time is unknown. Null without a check. */
  watchedUntil: Date | null;
  /** Excluded time, in any order. */
  exclusions: TimeRange[];
  /** Time in maintenance, in any order. */
  maintenance: TimeRange[];
  /**
   * Replaces all of the above for a monitor with too many changes: the time per state in each part of the requested ranges. Within a part, the order
   * of states is arbitrary.
   */
  pieces?: Piece[];
}

/** The order of severity in a bar: problems before normal statuses, known before unknown. */
const STRIP_ORDER: MonitorStatus[] = ['down', 'degraded', 'unknown', 'maintenance', 'up', 'paused', 'pending'];

/** Statuses that continue without checks. */
const UNWATCHED = new Set<MonitorStatus>(['paused', 'pending', 'unknown', 'maintenance']);

/** Sorts ranges and merges overlapping and adjacent ones; in milliseconds. */
export function merge(stretches: TimeRange[]): { from: number; to: number }[] {
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of stretches.toSorted((a, b) => a.from.getTime() - b.from.getTime())) {
    const last = merged.at(-1);
    if (last && from.getTime() <= last.to) last.to = Math.max(last.to, to.getTime());
    else merged.push({ from: from.getTime(), to: to.getTime() });
  }
  return merged;
}

/** Sets the state of the parts of pieces that stretches cover, except for pieces in state `except`. Both lists are sorted. */
function cover(
  pieces: Piece[],
  stretches: { from: number; to: number }[],
  { state, except }: { state: State; except?: State },
): Piece[] {
  if (stretches.length === 0) return pieces;
  const covered: Piece[] = [];
  let next = 0;
  for (const piece of pieces) {
    let { from } = piece;
    while ((stretches[next]?.to ?? Number.POSITIVE_INFINITY) <= from) next += 1;
    for (let at = next; piece.state !== except && from < piece.to; at += 1) {
      const each = stretches[at];
      if (!each || each.from >= piece.to) break;
      const [start, end] = [Math.max(each.from, from), Math.min(each.to, piece.to)];
      if (start > from) covered.push({ state: piece.state, from, to: start });
      covered.push({ state, from: start, to: end });
      from = end;
    }
    if (from < piece.to) covered.push({ state: piece.state, from, to: piece.to });
  }
  return covered;
}

/** Clips pieces to a range. */
function clip(pieces: Piece[], from: number, to: number): Piece[] {
  return pieces.flatMap((piece) => {
    const [start, end] = [Math.max(piece.from, from), Math.min(piece.to, to)];
    return start < end ? [{ state: piece.state, from: start, to: end }] : [];
  });
}

/**
 * Returns the states in a range as consecutive pieces. An open span counts only until `watchedUntil`; later time is unknown. Maintenance replaces
 * every status except paused, and an exclusion replaces everything.
 */
function cut({ spans, watchedUntil, exclusions, maintenance, pieces }: Known, from: Date, to: Date): Piece[] {
  const [rangeStart, rangeEnd] = [from.getTime(), to.getTime()];
  if (pieces) return clip(pieces, rangeStart, rangeEnd);
  const seen: Piece[] = [];
  for (const { status, startedAt, endedAt } of spans) {
    const start = Math.max(startedAt.getTime(), rangeStart);
    const end = Math.min(endedAt?.getTime() ?? Number.POSITIVE_INFINITY, rangeEnd);
    if (end <= start) continue;
    const known = endedAt || UNWATCHED.has(status) || !watchedUntil ? end : Math.min(end, watchedUntil.getTime());
    const middle = Math.max(start, known);
    if (middle > start) seen.push({ state: status, from: start, to: middle });
    if (end > middle) seen.push({ state: 'unknown', from: middle, to: end });
  }
  const checked = cover(seen, merge(maintenance), { state: 'maintenance', except: 'paused' });
  return cover(checked, merge(exclusions), { state: 'excluded' });
}

/** Returns the downtimes in a range, without the parts in maintenance; the end of one that lasts is null. Does not cut them off at the range. */
export function outagesIn(
  { spans, maintenance }: Pick<Known, 'spans' | 'maintenance'>,
  { from, to: now }: TimeRange,
): { from: Date; to: Date | null }[] {
  const down = spans.flatMap(({ status, startedAt, endedAt }): Piece[] => {
    if (status !== 'down' || (endedAt && endedAt <= from)) return [];
    return [{ state: status, from: startedAt.getTime(), to: endedAt?.getTime() ?? Number.POSITIVE_INFINITY }];
  });
  return cover(down, merge(maintenance), { state: 'maintenance' }).flatMap(({ state, ...each }) =>
    state === 'down' && each.from < now.getTime()
      ? [{ from: new Date(each.from), to: Number.isFinite(each.to) ? new Date(each.to) : null }]
      : [],
  );
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

/** Returns the time per state in each of `parts` equal parts from `from` on. */
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

/** Returns the time per state in a range. */
export function timeIn(known: Known, { from, to }: TimeRange): StateMs {
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
 * Computes the uptime from the time per state: ratio = up ÷ (up + down), by time. Degraded counts as up; maintenance, paused, pending, unknown and
 * excluded time count as neither. The ratio is null without up or down time.
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

/** Returns the most severe status of a part of a status bar; null without data. */
export function worstOf(time: StateMs): MonitorStatus | null {
  return STRIP_ORDER.find((status) => time[status] > 0) ?? null;
}

export interface StripRange extends TimeRange {
  parts: number;
  /** Future time has no data, even if the last part is longer. */
  now: Date;
}

/** Returns the most severe status in each of `parts` equal parts of a range; null without data. */
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
