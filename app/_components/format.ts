/* Formats of numbers and times. A space separates the unit; a dash stands for an unknown value. */

const unknown = '–';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** A whole number with thousands separators: 1,284. */
export function formatCount(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 0 });
}

/** A duration for tables and statuses, rounded down: "8 s", "14 min", "1 h 4 min", "19 h", "41 d". Negative `seconds` count as 0. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < minute) return `${whole} s`;
  if (whole < hour) return `${Math.floor(whole / minute)} min`;
  if (whole < 10 * hour) {
    const minutes = Math.floor((whole % hour) / minute);
    return minutes > 0 ? `${Math.floor(whole / hour)} h ${minutes} min` : `${Math.floor(whole / hour)} h`;
  }
  if (whole < day) return `${Math.floor(whole / hour)} h`;
  return `${formatCount(Math.floor(whole / day))} d`;
}

/** A duration in its two largest units: "14 min 56 s", "2 h 5 min", "3 d 4 h". Negative `seconds` count as 0. */
export function formatLongDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (large: string, rest: number, unit: string) => (rest > 0 ? `${large} ${rest} ${unit}` : large);
  if (whole < minute) return `${whole} s`;
  if (whole < hour) return two(`${Math.floor(whole / minute)} min`, whole % minute, 's');
  if (whole < day) return two(`${Math.floor(whole / hour)} h`, Math.floor((whole % hour) / minute), 'min');
  return two(`${formatCount(Math.floor(whole / day))} d`, Math.floor((whole % day) / hour), 'h');
}

/** A relative time: "8 s ago", "now" below one second. */
export function formatAgo(seconds: number): string {
  return seconds < 1 ? 'now' : `${formatDuration(seconds)} ago`;
}

/** A check interval, exact: "30 s", "1 min", "90 s", "1 h". */
export function formatInterval(seconds: number): string {
  if (seconds % day === 0) return `${seconds / day} d`;
  if (seconds % hour === 0) return `${seconds / hour} h`;
  if (seconds % minute === 0) return `${seconds / minute} min`;
  return `${seconds} s`;
}

/**
 * A ratio from 0 to 1 as a percentage with at most three decimals, never rounded up: "99.957 %". "100 %" means 1 exactly,
 * and null is a dash.
 */
export function formatPercent(ratio: number | null): string {
  return ratio === null ? unknown : `${percentDigits(ratio)} %`;
}

/** `formatPercent` without the unit. */
export function percentDigits(ratio: number | null): string {
  if (ratio === null) return unknown;
  if (ratio >= 1) return '100';
  // The addend corrects binary fractions just below a thousandth (0.99957 * 1e5); the maximum keeps it from rounding up to 100 %.
  const thousandths = Math.min(99_999, Math.floor(Math.max(0, ratio) * 100_000 + 1e-6));
  return String(thousandths / 1000);
}

/** Milliseconds: "187 ms", "2,410 ms"; null is a dash. */
export function formatMs(ms: number | null): string {
  return ms === null ? unknown : `${formatCount(Math.round(ms))} ms`;
}

/** Milliseconds in sentences: "640 ms", "1.2 s", "12 s". */
export function formatLatency(ms: number | null): string {
  if (ms === null) return unknown;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  return seconds < 9.95 ? `${Number(seconds.toFixed(1))} s` : `${formatCount(Math.round(seconds))} s`;
}

export interface TimestampOptions {
  /** `short`: the time if it is today, day and time if it is this year, otherwise the date. `full`: date, time and zone. */
  style: 'short' | 'full';
  /** The current time in Unix milliseconds. */
  now: number;
  /** An IANA time zone; default: the browser's. */
  timeZone?: string;
}

/** Users can name more zones than there are, because upper and lower case are the same. */
const MOST_FORMATS = 100;
/** Cached: creating a formatter takes 100 times as long as using it, and a list formats up to 1,000 times. */
const timestampFormats = new Map<string | undefined, Intl.DateTimeFormat>();

function timestampFormat(timeZone: string | undefined): Intl.DateTimeFormat {
  const known = timestampFormats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    ...(timeZone && { timeZone }),
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  });
  if (timestampFormats.size >= MOST_FORMATS) timestampFormats.clear();
  timestampFormats.set(timeZone, made);
  return made;
}

function parts(time: number, timeZone: string | undefined): Record<string, string> {
  return Object.fromEntries(
    timestampFormat(timeZone)
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  );
}

/** A time (ISO 8601) as text: "03:16:20", "17 Nov 03:16", "17 Nov 2025"; in full "Tue 17 Nov 2026, 03:16:20 UTC". */
export function formatTimestamp(at: string, { style, now, timeZone }: TimestampOptions): string {
  const time = Date.parse(at);
  if (Number.isNaN(time)) return unknown;
  const then = parts(time, timeZone);
  const date = `${then.day} ${then.month}`;
  const clock = `${then.hour}:${then.minute}`;
  if (style === 'full') return `${then.weekday} ${date} ${then.year}, ${clock}:${then.second} ${then.timeZoneName}`;
  const present = parts(now, timeZone);
  if (then.year !== present.year) return `${date} ${then.year}`;
  if (then.month !== present.month || then.day !== present.day) return `${date} ${clock}`;
  return `${clock}:${then.second}`;
}
