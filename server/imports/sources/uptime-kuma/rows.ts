import type { Row } from '../../convert/rows';
import { cut, type DraftDay } from '../../draft';

/** The data of an installation, of its database or of a backup. */
export interface KumaData {
  version: string | null;
  /** Distinguishes installations. */
  instance: string;
  /** The zone of the server, which maintenance uses by default. */
  timezone: string;
  monitors: Row[];
  /** The tags of each monitor. */
  tags: Map<number, { name: string; value: string }[]>;
  notifications: Row[];
  /** The notifications of each monitor. */
  notificationIds: Map<number, number[]>;
  maintenance: Row[];
  /** The monitors of each maintenance. */
  maintenanceMonitors: Map<number, number[]>;
  statusPages: Row[];
  /** The monitors of each status page, in its order. */
  pageMonitors: Map<number, number[]>;
  days: Map<number, DraftDay[]>;
}

// Backups have the columns of the database, partly with names in camelCase.
const camel = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

function columnOf(row: Row, name: string): unknown {
  return row[name] ?? row[camel(name)] ?? null;
}

/** The text of a column; empty without one. */
export function textOf(row: Row, name: string): string {
  const value = columnOf(row, name);
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** The number of a column; null without one. */
export function numberOf(row: Row, name: string): number | null {
  const value = columnOf(row, name);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** Whether a column is true: SQLite has 0 and 1. */
export function isOn(row: Row, name: string): boolean {
  const value = columnOf(row, name);
  return value === true || value === 1 || value === '1' || value === 'true';
}

/** The value in a column of JSON; null if it is missing or not JSON. */
export function jsonOf(row: Row, name: string): unknown {
  const value = columnOf(row, name);
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return null;
  }
}

/** The name of an object for people; `fallback` without one. */
export const nameOf = (row: Row, name: string, fallback: string) => cut(textOf(row, name), 100) || fallback;

/** Adds a value to the list of a key. */
export function addTo<Value>(lists: Map<number, Value[]>, key: number | null, value: Value | null): void {
  if (key === null || value === null) return;
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
