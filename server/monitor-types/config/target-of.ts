import { definitionOf, type MonitorType } from '../definitions';

/** Returns the address of a monitor for display, from its masked config: no scheme, no query, no secrets. */
export function targetOf(type: MonitorType, config: unknown): string {
  return definitionOf(type).target(config);
}
