import { definitionOf, type MonitorType } from '../definitions';
import { isUpsideDown } from '../is-upside-down';

/** At shorter intervals, a test would come only a few seconds before the next check. */
const SHORTEST_INTERVAL_SECONDS = 30;

/** The default for monitors that do not set `connectionTests`. */
export const CONNECTION_TESTS_DEFAULT = true;

interface Monitored {
  type: MonitorType;
  config: object;
  intervalSeconds: number;
  regions: readonly string[];
}

/** Whether the connection of a monitor is tested halfway between its checks. Not with regions, because they check at different times anyway. */
export function testsConnection({ type, config, intervalSeconds, regions }: Monitored): boolean {
  const canTest = 'connectionTests' in definitionOf(type).form.fields;
  // While it is up, its connections may fail.
  if (isUpsideDown(config)) return false;
  if (!canTest || intervalSeconds < SHORTEST_INTERVAL_SECONDS || regions.length > 0) return false;
  return (config as { connectionTests?: boolean }).connectionTests ?? CONNECTION_TESTS_DEFAULT;
}
