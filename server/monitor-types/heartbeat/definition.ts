import type { TypeDefinition } from '../definition';
import { HeartbeatConfig } from './config';

export const heartbeat = {
  schema: HeartbeatConfig,
  secrets: {},
  componentName: 'Scheduled job',
  target: ({ cron, timezone = 'UTC' }) => (cron === undefined ? 'pings' : `pings at ${cron} ${timezone}`),
  request: ({ cron, timezone = 'UTC' }) => (cron === undefined ? 'heartbeat' : `heartbeat ${cron} ${timezone}`),
  endpoints: () => [],
  expressions: (config) =>
    'cron' in config && typeof config.cron === 'string'
      ? [
          {
            path: 'config.cron',
            kind: 'cron',
            source: config.cron,
            ...('timezone' in config && typeof config.timezone === 'string' && { timezone: config.timezone }),
          },
        ]
      : [],
  limitKey: () => '',
  schedule: ({ cron = null, timezone = 'UTC', graceSeconds }) => ({ cron, timezone, graceSeconds }),
} satisfies TypeDefinition<HeartbeatConfig>;
