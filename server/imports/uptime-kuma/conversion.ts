import type { MonitorType } from '@/server/monitor-types/schema';
import { NotCarriedOver } from '../draft';
import { jsonOf, numberOf, type Row, textOf, toRows } from './rows';

/** A monitor's type and config here, and how these differ from the original. */
export interface Converted {
  type: MonitorType;
  config: Record<string, unknown>;
  notes: string[];
}

export type Convert = (row: Row) => Converted;

const MOST_CONFIRMATIONS = 10;
const MOST_DELAY_MS = 60_000;
export const clamp = (value: number, least: number, most: number) => Math.min(Math.max(Math.round(value), least), most);

const MOST_TIMEOUT_MS = 60_000;

const intervalOf = (row: Row) => numberOf(row, 'interval') || 60;
/** The time between retries in seconds; by default as there, the interval. */
export const retrySecondsOf = (row: Row) => numberOf(row, 'retry_interval') || intervalOf(row);

/** The timeout in milliseconds; by default as there, 80 % of the interval. */
export function timeoutOf(row: Row, notes: string[]): number {
  const seconds = numberOf(row, 'timeout') || 0.8 * intervalOf(row);
  if (seconds * 1000 > MOST_TIMEOUT_MS) notes.push(`The timeout of ${seconds} s becomes 60 s, the maximum.`);
  return clamp(seconds * 1000, 100, MOST_TIMEOUT_MS);
}

/** Retries as the number of failing checks until down, and the time between them. */
export function confirmOf(row: Row, notes: string[]): Record<string, number> {
  const retries = numberOf(row, 'maxretries') ?? 0;
  if (retries <= 0) return { failures: 1 };
  const delayMs = retrySecondsOf(row) * 1000;
  if (retries >= MOST_CONFIRMATIONS) notes.push(`${retries} retries become 9, the maximum.`);
  if (delayMs > MOST_DELAY_MS) notes.push(`A retry interval of ${delayMs / 1000} s becomes 60 s, the maximum.`);
  return { failures: Math.min(retries + 1, MOST_CONFIRMATIONS), retryDelayMs: clamp(delayMs, 100, MOST_DELAY_MS) };
}

export const hostOf = (row: Row) => textOf(row, 'hostname').replace(/^\[(.*)\]$/, '$1');

/** A JSONata expression that names one value, such as `data.items[0].id`. Its other forms compute. */
const SIMPLE_PATH = /^(?:\$\.?)?((?:[A-Za-z_]\w*(?:\[\d+\])*)(?:\.[A-Za-z_]\w*(?:\[\d+\])*)*)$/;

/** The JSONPath of a monitor's JSONata expression. */
export function jsonPathOf(row: Row): string {
  const expression = textOf(row, 'json_path');
  const [, path] = SIMPLE_PATH.exec(expression) ?? [];
  if (path === undefined)
    throw new NotCarriedOver(`The JSONata expression ${expression.slice(0, 60)} has no JSONPath.`);
  return `$.${path}`;
}

/** The value that a variable must have by the monitor's conditions; undefined without a condition. */
export function equalityOf(row: Row, variable: string): string | undefined {
  const conditions = toRows(jsonOf(row, 'conditions'));
  if (conditions.length === 0) return undefined;
  const [only = {}] = conditions;
  const isPlain = conditions.length === 1 && only.variable === variable && only.operator === 'equals';
  if (!isPlain) throw new NotCarriedOver(`Conditions are not supported, except that a ${variable} equals a value.`);
  return textOf(only, 'value');
}
