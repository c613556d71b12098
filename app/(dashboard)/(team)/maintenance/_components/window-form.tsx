'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { Controller, useForm, useFormContext } from 'react-hook-form';
import { SaveForm } from '@/app/_components/forms/save-form';
import type { EditedVersion } from '@/app/_components/forms/use-unsaved';
import { whenTouched } from '@/app/_components/forms/when-touched';
import { ScopeField } from '@/app/_components/monitors/scope-field';
import { useChosenTimeZone } from '@/app/_components/time/time-zone';
import { Button } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { RadioGroup } from '@/app/_components/ui/radio-group';
import { Select } from '@/app/_components/ui/select';
import { SwitchRow } from '@/app/_components/ui/switch';
import { Textarea } from '@/app/_components/ui/textarea';
import type { CreateMaintenanceWindowInput, MaintenanceWindow } from '@/server/maintenance/schema';
import { NextWindows } from './next-windows';
import { toWindowFields, type WindowFields, weekdays, windowFieldOf, windowForm } from './window-fields';

export interface WindowFormProps {
  /** The window to edit; without it, the form schedules a new one. */
  window?: MaintenanceWindow;
  edit?: EditedVersion;
  /** Saves the window; the form shows its errors at the fields. */
  onSave: (input: CreateMaintenanceWindowInput) => Promise<void>;
  /** Shown beside the save button. */
  children?: React.ReactNode;
}

/** The form to schedule or edit a maintenance window. */
export function WindowForm({ window, edit, onSave, children }: WindowFormProps) {
  const zone = useChosenTimeZone() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const form = useForm<WindowFields, unknown, CreateMaintenanceWindowInput>({
    defaultValues: toWindowFields(window, zone, Date.now()),
    resolver: zodResolver(windowForm),
    ...whenTouched,
    shouldFocusError: false,
  });
  const { errors } = form.formState;
  return (
    <SaveForm
      form={form}
      label={window ? `Edit ${window.title}` : 'Schedule maintenance'}
      verb={window ? 'Save changes' : 'Schedule maintenance'}
      edit={edit}
      fieldOf={windowFieldOf}
      onSave={onSave}
      actions={children}
    >
      <div className="grid gap-5">
        <Field label="Title" error={errors.title?.message} help="Shown on status pages if announced.">
          <Input autoComplete="off" placeholder="Database upgrade" {...form.register('title')} />
        </Field>
        <Field label="Description" optional error={errors.description?.message} help="For your team only.">
          <Textarea rows={2} {...form.register('description')} />
        </Field>
      </div>
      <Schedule id={window?.id} />
      <ScopeField legend="Affected monitors" all="All monitors, also those added later" />
      <Checks />
      <Announcement />
    </SaveForm>
  );
}

const repeats = [
  { value: 'never', label: 'Once' },
  { value: 'daily', label: 'Every day' },
  { value: 'weekly', label: 'Every week' },
  { value: 'monthly', label: 'Every month, on the same date' },
  { value: 'custom', label: 'Custom rule (RRULE)' },
] as const;

const zones = Intl.supportedValuesOf('timeZone');

function Schedule({ id }: { id: string | undefined }) {
  const { control, register, watch, formState } = useFormContext<WindowFields>();
  const { errors } = formState;
  const timezone = watch('timezone');
  const known = ['UTC', ...zones.filter((zone) => zone !== 'UTC')];
  const options = (known.includes(timezone) ? known : [timezone, ...known]).map((value) => {
    return { value, label: value.replaceAll('_', ' ') };
  });
  return (
    <fieldset className="grid min-w-0 gap-4">
      <legend className="mb-3 text-lead font-semibold">Schedule</legend>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Start" error={errors.startsAt?.message}>
          <Input type="datetime-local" {...register('startsAt')} />
        </Field>
        <Field label="End" error={errors.endsAt?.message}>
          <Input type="datetime-local" {...register('endsAt')} />
        </Field>
        <Field label="Time zone" error={errors.timezone?.message}>
          <Controller
            control={control}
            name="timezone"
            render={({ field }) => <Select options={options} value={field.value} onValueChange={field.onChange} />}
          />
        </Field>
        <Field label="Repeats" error={errors.repeats?.message}>
          <Controller
            control={control}
            name="repeats"
            render={({ field }) => <Select options={repeats} value={field.value} onValueChange={field.onChange} />}
          />
        </Field>
      </div>
      {watch('repeats') === 'weekly' ? <Days /> : null}
      {watch('repeats') === 'custom' ? (
        <Field
          label="Rule"
          error={errors.rule?.message}
          help="An RRULE by days, for example FREQ=MONTHLY;BYDAY=-1FR for the last Friday of a month."
        >
          <Input mono autoComplete="off" placeholder="FREQ=MONTHLY;BYDAY=-1FR" {...register('rule')} />
        </Field>
      ) : null}
      {watch('repeats') === 'never' ? null : (
        <p className="text-small text-muted">
          It starts at the same time of day in this time zone. If daylight saving time skips that time, it starts as
          much later as the clock moves.
        </p>
      )}
      <NextWindows id={id} />
    </fieldset>
  );
}

const dayLabels = { MO: 'Mo', TU: 'Tu', WE: 'We', TH: 'Th', FR: 'Fr', SA: 'Sa', SU: 'Su' } as const;

function Days() {
  const { watch, setValue } = useFormContext<WindowFields>();
  const days = watch('days');
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 font-medium">Days</legend>
      <div className="flex flex-wrap gap-1">
        {weekdays.map((day) => (
          <Button
            key={day}
            aria-pressed={days.includes(day)}
            onClick={() => {
              const chosen = weekdays.filter((each) => (each === day) !== days.includes(each));
              setValue('days', chosen, { shouldDirty: true });
            }}
          >
            {dayLabels[day]}
          </Button>
        ))}
      </div>
      <p className="mt-1.5 text-small text-muted">If no day is selected, it repeats on the weekday of the start.</p>
    </fieldset>
  );
}

const checks = [
  {
    value: 'continue',
    label: 'Keep checking',
    note: 'Results are recorded. No incident opens, and uptime is not affected.',
  },
  { value: 'pause', label: 'Pause checks', note: 'Nothing is sent to the targets until the end.' },
] as const;

function Checks() {
  const { control } = useFormContext<WindowFields>();
  return (
    <Controller
      control={control}
      name="checks"
      render={({ field }) => (
        <RadioGroup legend="Checks" name="checks" options={checks} value={field.value} onValueChange={field.onChange} />
      )}
    />
  );
}

const leads = [
  { value: 'now', label: 'Immediately' },
  { value: '0', label: 'At the start' },
  { value: '24', label: '1 day before' },
  { value: '72', label: '3 days before' },
  { value: '168', label: '7 days before' },
] as const;

/** What status pages and channels announce, and when. */
function announceHelp(isAnnounced: boolean, notifiesChannels: boolean): string {
  const pages = 'Status pages and their feeds and calendars show it from then on.';
  const channels = 'Channels are notified then, at the start and at the end.';
  return [...(isAnnounced ? [pages] : []), ...(notifiesChannels ? [channels] : [])].join(' ');
}

function Announcement() {
  const { control, watch } = useFormContext<WindowFields>();
  const hours = watch('announceHours');
  const options = leads.some(({ value }) => value === hours)
    ? leads
    : [...leads, { value: hours, label: `${hours} h before` }];
  return (
    <fieldset className="grid min-w-0 gap-3">
      <legend className="mb-3 text-lead font-semibold">Announcement</legend>
      <Controller
        control={control}
        name="isAnnounced"
        render={({ field }) => (
          <SwitchRow checked={field.value} onCheckedChange={field.onChange}>
            Announce on status pages
          </SwitchRow>
        )}
      />
      <Controller
        control={control}
        name="notifiesChannels"
        render={({ field }) => (
          <SwitchRow checked={field.value} onCheckedChange={field.onChange}>
            Notify the channels of its monitors
          </SwitchRow>
        )}
      />
      {watch('isAnnounced') || watch('notifiesChannels') ? (
        <Field label="Announce" help={announceHelp(watch('isAnnounced'), watch('notifiesChannels'))}>
          <Controller
            control={control}
            name="announceHours"
            render={({ field }) => (
              <Select<string> options={options} value={field.value} onValueChange={field.onChange} />
            )}
          />
        </Field>
      ) : null}
    </fieldset>
  );
}
