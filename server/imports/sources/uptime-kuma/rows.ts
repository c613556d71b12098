import type { Row } from '../../convert/rows';
import { cut, type DraftDay } from '../../draft';

/** The data of an installation, from its database or from a backup. */
export interface KumaData {
  version: string | null;
  /** Identifies the installation. */
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

/** Returns the trimmed text of a column; empty if it is missing. */
export function textOf(row: Row, name: string): string {
  const value = columnOf(row, name);
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** Returns the number in a column; null if there is none. */
export function numberOf(row: Row, name: string): number | null {
  const value = columnOf(row, name);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** Returns whether a column is true. SQLite stores 0 and 1. */
export function isOn(row: Row, name: string): boolean {
  const value = columnOf(row, name);
  return value === true || value === 1 || value === '1' || value === 'true';
}

/** Parses a column that contains JSON; null if it is missing or invalid. */
export function jsonOf(row: Row, name: string): unknown {
  const value = columnOf(row, name);
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return null;
  }
}

/** Returns the name of an object for display; `fallback` if it has none. */
export const nameOf = (row: Row, name: string, fallback: string) => cut(textOf(row, name), 100) || fallback;

/** Adds a value to the list of a key; does nothing if either is null. */
export function addTo<Value>(lists: Map<number, Value[]>, key: number | null, value: Value | null): void {
  if (key === null || value === null) return;
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
