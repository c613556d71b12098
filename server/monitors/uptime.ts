import type { MonitorStatus } from './schema';

/** A stretch of time in one status; the last one of a monitor has no end yet. */
export interface Span {
  status: MonitorStatus;
  startedAt: Date;
  endedAt: Date | null;
}

/** A piece of a span inside a range, in milliseconds since the epoch. */
interface Piece {
  status: MonitorStatus;
  from: number;
  to: number;
}

/** What a bar shows of several statuses: trouble before calm, and having been watched before not having been. */
const STRIP_ORDER: MonitorStatus[] = ['down', 'degraded', 'unknown', 'maintenance', 'up', 'paused', 'pending'];

/** Statuses that last without anybody looking. */
const UNWATCHED = new Set<MonitorStatus>(['paused', 'pending', 'unknown', 'maintenance']);

/**
 * Cuts spans to a range. A span that is still open counts only until `watchedUntil`: what is later was seen by nobody,
 * so it is unknown.
 */
function cut(spans: Span[], from: Date, to: Date, watchedUntil: Date | null): Piece[] {
  return spans.flatMap(({ status, startedAt, endedAt }) => {
    const start = Math.max(startedAt.getTime(), from.getTime());
    const end = Math.min(endedAt?.getTime() ?? Number.POSITIVE_INFINITY, to.getTime());
    const known = endedAt || UNWATCHED.has(status) || !watchedUntil ? end : Math.min(end, watchedUntil.getTime());
    const seen: Piece = { status, from: start, to: Math.max(start, known) };
    const unseen: Piece = { status: 'unknown', from: Math.max(start, known), to: end };
    return [seen, unseen].filter((piece) => piece.to > piece.from);
  });
}

export interface UptimeSeconds {
  ratio: number | null;
  upSeconds: number;
  downSeconds: number;
  maintenanceSeconds: number;
  unknownSeconds: number;
}

/**
 * Uptime of a range, added up from a monitor's spans: ratio = up ÷ (up + down), time-weighted; degraded counts as up;
 * maintenance, paused, pending and unknown time is in neither; null where nothing is known. Seconds.
 */
export function uptimeFromSpans(spans: Span[], from: Date, to: Date, watchedUntil: Date | null): UptimeSeconds {
  const total = (...statuses: MonitorStatus[]) =>
    pieces.reduce((sum, piece) => sum + (statuses.includes(piece.status) ? piece.to - piece.from : 0), 0) / 1000;
  const pieces = cut(spans, from, to, watchedUntil);
  const upSeconds = total('up', 'degraded');
  const downSeconds = total('down');
  const known = upSeconds + downSeconds;
  return {
    ratio: known > 0 ? upSeconds / known : null,
    upSeconds,
    downSeconds,
    maintenanceSeconds: total('maintenance'),
    unknownSeconds: total('unknown'),
  };
}

export interface StripRange {
  from: Date;
  to: Date;
  parts: number;
  /** Nothing is known of what is later, however long the last part is. */
  now: Date;
  watchedUntil: Date | null;
}

/** The range in `parts` equal parts, each with the status that matters most in it, or null where there is none. */
export function stripFromSpans(
  spans: Span[],
  { from, to, parts, now, watchedUntil }: StripRange,
): (MonitorStatus | null)[] {
  const strip = new Array<MonitorStatus | null>(parts).fill(null);
  const width = (to.getTime() - from.getTime()) / parts;
  for (const piece of cut(spans, from, now < to ? now : to, watchedUntil)) {
    const first = Math.floor((piece.from - from.getTime()) / width);
    const last = Math.min(parts - 1, Math.ceil((piece.to - from.getTime()) / width) - 1);
    for (let part = first; part <= last; part += 1) {
      const present = strip[part] ?? null;
      const outranks = present === null || STRIP_ORDER.indexOf(piece.status) < STRIP_ORDER.indexOf(present);
      if (outranks) strip[part] = piece.status;
    }
  }
  return strip;
}
