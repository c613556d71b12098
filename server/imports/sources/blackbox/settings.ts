import { partsMs } from '../../convert/duration';
import { type Row, verbatimOf } from '../../convert/rows';
import { cut, NotCarriedOver } from '../../draft';

/** Returns the unchanged text of a setting; empty if it is missing or null. All scalars of the file are read as text. */
export function textOf(row: Row, name: string): string {
  const text = verbatimOf(row, name);
  return text === 'null' || text === '~' ? '' : text;
}

/** Returns whether a setting is true; `fallback` if it is missing. */
export function isOn(row: Row, name: string, fallback = false): boolean {
  const text = textOf(row, name).toLowerCase();
  return text === '' ? fallback : ['true', 'yes', 'on', 'y'].includes(text);
}

/** Returns the texts of a list; empty if it is missing. */
export function textsOf(row: Row, name: string): string[] {
  const value = Object.hasOwn(row, name) ? row[name] : null;
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

const isEmpty = (value: unknown) =>
  value === '' ||
  value === 'null' ||
  value === '~' ||
  (typeof value === 'object' && Object.values(value ?? {}).length === 0);

/**
 * Checks that there are no settings without a counterpart, because without them, a monitor would check something else.
 * @param known the settings that are read, and those that do not affect the check
 * @throws NotCarriedOver
 */
export function assertKnown(row: Row, known: readonly string[]): void {
  const other = Object.keys(row).find((name) => !known.includes(name) && !isEmpty(row[name]) && row[name] !== 'false');
  if (other !== undefined) throw new NotCarriedOver(`The setting ${cut(other, 60)} is not supported.`);
}

const UNITS_MS: Record<string, number> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_536_000_000,
};

/**
 * Parses a duration such as 1m30s to milliseconds; `fallback` for an empty text.
 * @throws NotCarriedOver
 */
export function toMs(text: string, fallback: number): number {
  if (text === '') return fallback;
  const ms = partsMs(text, UNITS_MS);
  if (ms === null) throw new NotCarriedOver(`“${cut(text, 40)}” is not a duration, such as 90s.`);
  return ms;
}

/**
 * Returns the text that a regular expression matches literally; null if it has operators.
 * @param isLoose ignores a leading ^, and takes a dot as a literal dot
 */
export function literalOf(pattern: string, isLoose = false): string | null {
  const rest = isLoose ? pattern.replace(/^\^/, '') : pattern;
  const unescaped = rest.replaceAll(/\\\W/g, '');
  if (/[*+?()[\]{}|^$\\]/.test(unescaped) || (!isLoose && unescaped.includes('.'))) return null;
  return rest.replaceAll(/\\(\W)/g, '$1');
}

/**
 * Converts the settings of TLS. Certificates must be in the module, because files are not uploaded.
 * @throws NotCarriedOver
 */
export function trustOf(tls: Row): { verifyTls?: boolean; caCertificate?: string } {
  assertKnown(tls, ['insecure_skip_verify', 'ca', 'cert', 'key']);
  const ca = textOf(tls, 'ca');
  return { ...(isOn(tls, 'insecure_skip_verify') && { verifyTls: false }), ...(ca && { caCertificate: ca }) };
}
