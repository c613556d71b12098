import { z } from 'zod';
import type { TypeDefinition } from '../definition';
import { isCron, isTimezone, MOST_CRON_CHARACTERS } from './cron';

const MOST_GRACE_SECONDS = 31 * 86_400;

/**
 * Pings are due every `intervalSeconds` of the monitor, or at the times of `cron` in `timezone` (default: UTC), and late after
 * `graceSeconds`. A run that sent a start ping must end within the same time. The server's `assertExpressions` decides
 * whether `cron` runs often enough.
 */
export const HeartbeatConfig = z
  .strictObject({
    graceSeconds: z.int().min(1).max(MOST_GRACE_SECONDS).default(60),
    cron: z.string().trim().max(MOST_CRON_CHARACTERS).optional(),
    timezone: z.string().trim().max(64).refine(isTimezone, 'Enter a time zone such as Europe/Berlin.').optional(),
    pingUrl: z
      .string()
      .optional()
      .meta({ description: 'The URL to ping. Set by the server; may be sent back unchanged.' }),
  })
  .superRefine(({ cron, timezone }, ctx) => {
    const issue = (path: string, message: string) => ctx.addIssue({ code: 'custom', path: [path], message });
    if (timezone !== undefined && cron === undefined) issue('timezone', 'A time zone needs a cron schedule.');
    if (cron !== undefined && !isCron(cron))
      issue('cron', 'Enter a cron expression of five fields, such as 0 3 * * 1-5.');
  });
export type HeartbeatConfig = z.infer<typeof HeartbeatConfig>;

export const heartbeat = {
  schema: HeartbeatConfig,
  form: {
    label: 'Heartbeat',
    note: 'Pings from jobs',
    upWhen: 'Pings arrive on schedule, and no run fails or exceeds the grace period.',
    fields: {
      schedule: {
        label: 'Schedule type',
        kind: 'select',
        group: 'timing',
        width: 'half',
        options: [
          { value: 'interval', label: 'Interval' },
          { value: 'cron', label: 'Cron expression' },
        ],
        initial: ({ cron }) => (cron === undefined ? 'interval' : 'cron'),
      },
      cron: {
        label: 'Schedule',
        kind: 'text',
        group: 'timing',
        width: 'half',
        when: { field: 'schedule', is: ['cron'] },
        placeholder: '0 3 * * *',
      },
      interval: {
        label: 'Ping interval',
        kind: 'interval',
        group: 'timing',
        width: 'half',
        when: { field: 'schedule', is: ['interval'] },
      },
      graceSeconds: {
        label: 'Grace period',
        kind: 'duration',
        unitMs: 1000,
        group: 'timing',
        width: 'half',
        help: 'How late a ping may be. A run that sent a start ping must end within this time.',
      },
      timezone: {
        label: 'Time zone',
        kind: 'text',
        group: 'timing',
        width: 'half',
        mono: false,
        optional: true,
        when: { field: 'schedule', is: ['cron'] },
        placeholder: 'UTC',
        initial: ({ cron }) => (cron === undefined ? Intl.DateTimeFormat().resolvedOptions().timeZone : ''),
      },
    },
  },
  secrets: {},
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
