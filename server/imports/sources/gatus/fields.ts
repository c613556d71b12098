import { partsMs } from '../../convert/duration';
import type { Row } from '../../convert/rows';
import { cut, NotCarriedOver } from '../../draft';

/** Stands for a `$` that the file escapes as `$$`, until the value is read. */
const ESCAPED = '\u{E000}';

/** The text of a file, with escaped dollar signs set apart from those of environment variables. */
export const markEscaped = (text: string) => text.replaceAll(ESCAPED, '').replaceAll('$$', ESCAPED);

/**
 * A text without references to environment variables, which only the other tool knows.
 * @throws NotCarriedOver
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

/** The text of a field; empty without one, or for null. All scalars of the file are read as text. */
export function textOf(row: Row, name: string): string {
  const value = Object.hasOwn(row, name) ? row[name] : undefined;
  if (typeof value !== 'string' || value === 'null' || value === '~') return '';
  return literal(value);
}

/**
 * The texts of a list; none without one.
 * @throws NotCarriedOver for anything but a list of texts
 */
export function textsOf(row: Row, name: string): string[] {
  const value = (Object.hasOwn(row, name) ? row[name] : null) ?? [];
  if (!Array.isArray(value) || value.some((each) => typeof each !== 'string')) {
    throw new NotCarriedOver(`${name} is not a list of texts.`);
  }
  return value.map(literal);
}

/** Whether a field is true; `fallback` without one. */
export function isOn(row: Row, name: string, fallback = false): boolean {
  const text = textOf(row, name).toLowerCase();
  return text === '' ? fallback : ['true', 'yes', 'on', 'y'].includes(text);
}

/** The whole number in a field; `fallback` without one, or for 0. */
export function countOf(row: Row, name: string, fallback: number): number {
  const text = textOf(row, name);
  return /^\d{1,9}$/.test(text) ? Number(text) || fallback : fallback;
}

const UNITS_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A duration such as `1h30m`, in milliseconds; null for any other text. A number needs a unit, except 0. */
export function durationMs(text: string): number | null {
  if (text === '0') return 0;
  return partsMs(text, UNITS_MS);
}

/**
 * The duration in a field, in milliseconds; `fallback` without one.
 * @throws NotCarriedOver
 */
export function durationOf(row: Row, name: string, fallback: number): number {
  const text = textOf(row, name);
  if (text === '') return fallback;
  const value = durationMs(text);
  if (value === null) throw new NotCarriedOver(`${name}: ${text.slice(0, 40)} is not a valid duration, such as 90s.`);
  return value === 0 ? fallback : value;
}

/** A text for people, also with a variable that only the other tool knows. */
export function shownOf(row: Row, name: string): string {
  try {
    return textOf(row, name);
  } catch {
    const value = row[name];
    return typeof value === 'string' ? value : '';
  }
}

/** The name of an endpoint for people. */
export const nameOf = (row: Row) => cut(shownOf(row, 'name'), 120) || 'Endpoint';

/** The key by which the other tool finds an endpoint. */
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
