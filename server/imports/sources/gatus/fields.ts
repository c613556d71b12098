import { partsMs } from '../../convert/duration';
import type { Row } from '../../convert/rows';
import { cut, NotCarriedOver } from '../../draft';

/** Replaces a `$$` of the file, which is an escaped `$`, until the value is read. */
const ESCAPED = '\u{E000}';

/** Marks the escaped dollar signs in the text of a file, so that they are not taken for environment variables. */
export const markEscaped = (text: string) => text.replaceAll(ESCAPED, '').replaceAll('$$', ESCAPED);

/**
 * Restores escaped dollar signs in a text.
 * @throws NotCarriedOver if it refers to an environment variable, whose value only Gatus knows
 */
export function literal(text: string): string {
  const [reference] = /\$(?:\w+|\{[^}]*\})/.exec(text) ?? [];
  if (reference) {
    throw new NotCarriedOver(
      `It needs the environment variable ${reference.slice(0, 60)}. Replace it in the file, and upload it again.`,
    );
  }
  return text.replaceAll(ESCAPED, '$');
}

/**
 * Returns the text of a field; empty if it is missing or null. All scalars of the file are read as text.
 * @throws NotCarriedOver if it refers to an environment variable
 */
export function textOf(row: Row, name: string): string {
  const value = Object.hasOwn(row, name) ? row[name] : undefined;
  if (typeof value !== 'string' || value === 'null' || value === '~') return '';
  return literal(value);
}

/**
 * Returns the texts of a list; empty if it is missing.
 * @throws NotCarriedOver for anything but a list of texts
 */
export function textsOf(row: Row, name: string): string[] {
  const value = (Object.hasOwn(row, name) ? row[name] : null) ?? [];
  if (!Array.isArray(value) || value.some((each) => typeof each !== 'string')) {
    throw new NotCarriedOver(`${name} is not a list of texts.`);
  }
  return value.map(literal);
}

/** Returns whether a field is true; `fallback` if it is missing. */
export function isOn(row: Row, name: string, fallback = false): boolean {
  const text = textOf(row, name).toLowerCase();
  return text === '' ? fallback : ['true', 'yes', 'on', 'y'].includes(text);
}

/** Returns the whole number in a field; `fallback` if it is missing, 0 or not a number. */
export function countOf(row: Row, name: string, fallback: number): number {
  const text = textOf(row, name);
  return /^\d{1,9}$/.test(text) ? Number(text) || fallback : fallback;
}

const UNITS_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Parses a duration such as `1h30m` to milliseconds; null for any other text. A number needs a unit, except 0. */
export function durationMs(text: string): number | null {
  if (text === '0') return 0;
  return partsMs(text, UNITS_MS);
}

/**
 * Returns the duration in a field, in milliseconds; `fallback` if it is missing or 0.
 * @throws NotCarriedOver
 */
export function durationOf(row: Row, name: string, fallback: number): number {
  const text = textOf(row, name);
  if (text === '') return fallback;
  const value = durationMs(text);
  if (value === null) throw new NotCarriedOver(`${name}: ${text.slice(0, 40)} is not a valid duration, such as 90s.`);
  return value === 0 ? fallback : value;
}

/** Returns the text of a field for display. Keeps references to environment variables instead of throwing. */
export function shownOf(row: Row, name: string): string {
  try {
    return textOf(row, name);
  } catch {
    const value = row[name];
    return typeof value === 'string' ? value : '';
  }
}

/** Returns the name of an endpoint for display. */
export const nameOf = (row: Row) => cut(shownOf(row, 'name'), 120) || 'Endpoint';

/** Returns the key of an endpoint, which Gatus builds from its group and name. */
export const keyOf = (row: Row) =>
  [shownOf(row, 'group'), shownOf(row, 'name')]
    .map((part) =>
      part
        .trim()
        .toLowerCase()
        .replaceAll(/[/_., #+&]/g, '-'),
    )
    .join('_')
    .slice(0, 200);
