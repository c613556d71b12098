import { z } from 'zod';

// What lists of monitors need in the browser. Without the definitions of the types, which are ten times as large.

/** Every type, in display order. */
export const monitorTypes = [
  'http',
  'tcp',
  'ping',
  'dns',
  'tls',
  'domain',
  'websocket',
  'grpc',
  'smtp',
  'redis',
  'postgresql',
  'mysql',
  'mqtt',
  'ssh',
  'mailbox',
  'multistep',
  'heartbeat',
] as const;
export const MonitorType = z.enum(monitorTypes);
export type MonitorType = z.infer<typeof MonitorType>;

/** Types that wait for pings; a worker checks all others over the network. */
export const passiveTypes = ['heartbeat'] as const satisfies MonitorType[];
export type PassiveType = (typeof passiveTypes)[number];

/** Returns whether monitors of a type wait for pings instead of being checked. */
export function isPassive(type: MonitorType): type is PassiveType {
  return (passiveTypes as readonly MonitorType[]).includes(type);
}

/** Most severe first, the order of every list. */
export const MonitorStatus = z.enum(['down', 'degraded', 'unknown', 'maintenance', 'paused', 'pending', 'up']);
export type MonitorStatus = z.infer<typeof MonitorStatus>;

/** `worst`: most severe first, then by name. `p95`: slowest first. `uptime`: lowest first. `changed`: the latest change of status first. */
export const OverviewSort = z.enum(['worst', 'name', 'p95', 'uptime', 'changed']);
export type OverviewSort = z.infer<typeof OverviewSort>;

export const OverviewGroup = z.enum(['tag', 'type', 'parent']);
export type OverviewGroup = z.infer<typeof OverviewGroup>;

/** The maximum number of rows of a list in order. */
export const MOST_LISTED = 10_000;
