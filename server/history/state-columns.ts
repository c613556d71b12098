import { Prisma } from '@/server/platform/generated/prisma/client';
import type { State } from './uptime';

/** The states in the order of the roll-up columns. */
export const STATES = [
  'up',
  'degraded',
  'down',
  'unknown',
  'maintenance',
  'paused',
  'pending',
  'excluded',
] as const satisfies readonly State[];

const columns = STATES.map((state) => `${state}_ms`);

/** "up_ms, degraded_ms, …" */
export const stateColumns = Prisma.raw(columns.join(', '));

/** "up_ms int, degraded_ms int, …" */
export const stateTypes = Prisma.raw(columns.map((column) => `${column} int`).join(', '));

/** "up_ms = excluded.up_ms, …", as an upsert sets them. */
export const stateUpdates = Prisma.raw(columns.map((column) => `${column} = excluded.${column}`).join(', '));

/** Maps the time per state to the columns of a roll-up; no time is stored as null. */
export function toColumns(time: Record<State, number>): Record<string, number | null> {
  return Object.fromEntries(STATES.map((state) => [`${state}_ms`, time[state] || null]));
}
