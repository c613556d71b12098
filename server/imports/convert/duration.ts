import { cut, NotCarriedOver } from '../draft';

const UNITS: [pattern: RegExp, seconds: number][] = [
  [/^(ms|msecs?|millis|milliseconds?)$/, 0.001],
  [/^(s|secs?|seconds?)$/, 1],
  [/^(m|mins?|minutes?)$/, 60],
  [/^(h|hrs?|hours?)$/, 3_600],
  [/^(d|days?)$/, 86_400],
];

const secondsOf = (unit: string) => UNITS.find(([pattern]) => pattern.test(unit))?.[1];

/** Units of columns whose names contain no unit, in seconds. The resolution of Pingdom is in minutes. */
const KNOWN: Record<string, number> = { resolution: 60 };

/** Returns the unit in a column's name, such as "Interval (minutes)" or "timeoutMs", in seconds; null if it names none. */
export function unitOf(header: string): number | null {
  const words = header
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  return (
    words.map((word) => secondsOf(word)).findLast((seconds) => seconds !== undefined) ??
    new Map(Object.entries(KNOWN)).get(words.join('')) ??
    null
  );
}

/**
 * Parses a duration such as "5 min", "90s" or "60" to seconds. Rejects three digits after a comma, because they could also be thousands.
 * @param unit the seconds of a number without a unit
 * @throws NotCarriedOver
 */
export function toSeconds(text: string, unit: number): number {
  const [, number = '', name = ''] = /^(\d{1,9}(?:[.,]\d{1,2})?) ?([a-z]{0,12})$/i.exec(text.trim()) ?? [];
  const seconds = name === '' ? unit : secondsOf(name.toLowerCase());
  if (number === '' || seconds === undefined) {
    throw new NotCarriedOver(`“${cut(text, 40)}” is not a duration, such as 60 or 5 min.`);
  }
  return Number(number.replace(',', '.')) * seconds;
}

/**
 * Parses a duration of parts with units, such as 1h30m, to milliseconds; null for any other text.
 * @param unitsMs the milliseconds of each unit
 */
export function partsMs(text: string, unitsMs: Record<string, number>): number | null {
  const parts = [...text.matchAll(/(\d{1,9}(?:\.\d{1,9})?)([a-z]{1,2})/gy)];
  const length = parts.reduce((sum, [part]) => sum + part.length, 0);
  const values = parts.map(([, number, unit = '']) => Number(number) * (unitsMs[unit] ?? Number.NaN));
  const sum = values.reduce((one, other) => one + other, 0);
  return parts.length === 0 || length !== text.length || Number.isNaN(sum) ? null : sum;
}
