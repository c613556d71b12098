'use client';

import { useWatch } from 'react-hook-form';
import { parseDuration } from '../duration';
import { ChoiceField, TextField, Two } from '../fields';
import type { InitialConfig } from '../figures';
import { IntervalField } from '../interval-field';
import type { HeartbeatFields, MonitorFields } from '../monitor-fields';
import type { TypeForm } from './type-form';

const schedules = [
  { value: 'interval', label: 'Interval' },
  { value: 'cron', label: 'Cron expression' },
] as const;

/** The time as the field shows it: "90 s", "10 min". */
function writeGrace(seconds: number): string {
  return seconds % 60 === 0 && seconds > 60 ? `${seconds / 60} min` : `${seconds} s`;
}

export const heartbeat: TypeForm<InitialConfig<'heartbeat'>, HeartbeatFields> = {
  label: 'Heartbeat',
  note: 'Pings from jobs',
  toFields: ({ cron, timezone, graceSeconds }) => ({
    schedule: cron === undefined ? 'interval' : 'cron',
    cron: cron ?? '',
    timezone: timezone ?? (cron === undefined ? Intl.DateTimeFormat().resolvedOptions().timeZone : ''),
    grace: writeGrace(graceSeconds),
  }),
  toConfig: ({ schedule, cron, timezone, grace }) => {
    const graceMs = parseDuration(grace);
    return {
      graceSeconds: graceMs === null ? undefined : graceMs / 1000,
      cron: schedule === 'cron' ? cron : undefined,
      timezone: schedule === 'cron' ? timezone.trim() || undefined : undefined,
    };
  },
  renamed: { graceSeconds: 'grace' },
  durations: { grace: 1000 },
  Timing({ current }) {
    const schedule = useWatch<MonitorFields, 'heartbeat.schedule'>({ name: 'heartbeat.schedule' });
    return (
      <>
        <Two>
          <ChoiceField name="heartbeat.schedule" label="Schedule type" options={schedules} />
          {schedule === 'cron' ? (
            <TextField name="heartbeat.cron" label="Schedule" mono autoComplete="off" placeholder="0 3 * * *" />
          ) : (
            <IntervalField label="Ping interval" current={current} />
          )}
        </Two>
        <Two>
          <TextField
            name="heartbeat.grace"
            label="Grace period"
            help="How late a ping may be. A run that sent a start ping must end within this time."
          />
          {schedule === 'cron' ? (
            <TextField name="heartbeat.timezone" label="Time zone" optional autoComplete="off" placeholder="UTC" />
          ) : null}
        </Two>
      </>
    );
  },
  upWhen: 'Pings arrive on schedule, and no run fails or exceeds the grace period.',
};
