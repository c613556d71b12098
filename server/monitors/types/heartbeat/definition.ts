import type { TypeDefinition } from '../definition';
import { HeartbeatConfig } from './config';

export const heartbeat = {
  schema: HeartbeatConfig,
  secrets: {},
  target: ({ cron, timezone = 'UTC' }) => (cron === undefined ? 'pings' : `pings at ${cron} ${timezone}`),
  endpoints: () => [],
  limitKey: () => '',
} satisfies TypeDefinition<HeartbeatConfig>;
