import { type Converted, toCount, toDelay, toTimeout } from '../../convert/conversion';
import { type Row, toRows } from '../../convert/rows';
import { NotCarriedOver } from '../../draft';
import { jsonOf, numberOf, textOf } from './rows';

export type Convert = (row: Row) => Converted;

const intervalOf = (row: Row) => numberOf(row, 'interval') || 60;
/** Returns the time between retries in seconds; by default the interval, as in Uptime Kuma. */
export const retrySecondsOf = (row: Row) => numberOf(row, 'retry_interval') || intervalOf(row);

/** Returns the timeout in milliseconds; by default 80 % of the interval, as in Uptime Kuma. */
export function timeoutOf(row: Row, notes: string[]): number {
  return toTimeout(1000 * (numberOf(row, 'timeout') || 0.8 * intervalOf(row)), notes);
}

/** Converts retries to the number of failing checks until down, and the time between them. */
export function confirmOf(row: Row, notes: string[]): Record<string, number> {
  const retries = numberOf(row, 'maxretries') ?? 0;
  if (retries <= 0) return { failures: 1 };
  return { failures: toCount(retries + 1, notes), retryDelayMs: toDelay(retrySecondsOf(row) * 1000, notes) };
}

export const hostOf = (row: Row) => textOf(row, 'hostname').replace(/^\[(.*)\]$/, '$1');

/** Matches a JSONata expression that only names one value, such as `data.items[0].id`. */
const SIMPLE_PATH = /^(?:\$\.?)?((?:[A-Za-z_]\w*(?:\[\d+\])*)(?:\.[A-Za-z_]\w*(?:\[\d+\])*)*)$/;

/**
 * Converts a monitor's JSONata expression to JSONPath.
 * @throws NotCarriedOver if it does more than name a value
 */
export function jsonPathOf(row: Row): string {
  const expression = textOf(row, 'json_path');
  const [, path] = SIMPLE_PATH.exec(expression) ?? [];
  if (path === undefined)
    throw new NotCarriedOver(`The JSONata expression ${expression.slice(0, 60)} has no JSONPath.`);
  return `$.${path}`;
}

/**
 * Returns the value that a variable must equal by the monitor's conditions; undefined without conditions.
 * @throws NotCarriedOver for other conditions
 */
export function equalityOf(row: Row, variable: string): string | undefined {
  const conditions = toRows(jsonOf(row, 'conditions'));
  if (conditions.length === 0) return undefined;
  const [only = {}] = conditions;
  const isPlain = conditions.length === 1 && only.variable === variable && only.operator === 'equals';
  if (!isPlain) throw new NotCarriedOver(`Conditions are not supported, except that a ${variable} equals a value.`);
  return textOf(only, 'value');
}
