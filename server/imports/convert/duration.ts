import { cut, NotCarriedOver } from '../draft';

const UNITS: [pattern: RegExp, seconds: number][] = [
  [/^(ms|msecs?|millis|milliseconds?)$/, 0.001],
  [/^(s|secs?|seconds?)$/, 1],
  [/^(m|mins?|minutes?)$/, 60],
  [/^(h|hrs?|hours?)$/, 3_600],
  [/^(d|days?)$/, 86_400],
];

const secondsOf = (unit: string) => UNITS.find(([pattern]) => pattern.test(unit))?.[1];

/** Names that have a unit without naming it: the resolution of Pingdom is in minutes. */
const KNOWN: Record<string, number> = { resolution: 60 };

/** The seconds of the unit that a column's name ends with, such as "Interval (minutes)" or "timeoutMs"; null without one. */
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
 * A duration such as "5 min", "90s" or "60", in seconds. Three digits after a comma could also be thousands, so they are refused.
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
 * A duration of parts with units, such as 1h30m, in milliseconds; null for any other text.
 * @param unitsMs the milliseconds of each unit
 */
export function partsMs(text: string, unitsMs: Record<string, number>): number | null {
  const parts = [...text.matchAll(/(\d{1,9}(?:\.\d{1,9})?)([a-z]{1,2})/gy)];
  const length = parts.reduce((sum, [part]) => sum + part.length, 0);
  const values = parts.map(([, number, unit = '']) => Number(number) * (unitsMs[unit] ?? Number.NaN));
  const sum = values.reduce((one, other) => one + other, 0);
  return parts.length === 0 || length !== text.length || Number.isNaN(sum) ? null : sum;
}
