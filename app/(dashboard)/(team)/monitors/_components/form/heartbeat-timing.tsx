'use client';

import { useWatch } from 'react-hook-form';
import { ChoiceField, TextField, Two } from './fields';
import { IntervalField } from './interval-field';
import type { MonitorFields } from './model';

const schedules = [
  { value: 'interval', label: 'At least once in' },
  { value: 'cron', label: 'On a cron schedule' },
] as const;

/** When a heartbeat is to be pinged, and how late it may be. */
export function HeartbeatTiming({ current }: { current: number | undefined }) {
  const schedule = useWatch<MonitorFields, 'heartbeat.schedule'>({ name: 'heartbeat.schedule' });
  return (
    <>
      <Two>
        <ChoiceField name="heartbeat.schedule" label="Pinged" options={schedules} />
        {schedule === 'cron' ? (
          <TextField name="heartbeat.cron" label="Schedule" mono autoComplete="off" placeholder="0 3 * * *" />
        ) : (
          <IntervalField label="How long" current={current} />
        )}
      </Two>
      <Two>
        <TextField
          name="heartbeat.grace"
          label="Grace"
          help="How late a ping may be, and how long a run may take that said it began."
        />
        {schedule === 'cron' ? (
          <TextField name="heartbeat.timezone" label="Zone" optional autoComplete="off" placeholder="UTC" />
        ) : null}
      </Two>
    </>
  );
}
