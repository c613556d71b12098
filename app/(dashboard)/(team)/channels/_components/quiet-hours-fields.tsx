'use client';

import { Controller, useFormContext } from 'react-hook-form';
import { Section } from '@/app/_components/page';
import { Button } from '@/app/_components/ui/button';
import { CheckboxRow } from '@/app/_components/ui/checkbox';
import { Field, FieldError } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import { Switch } from '@/app/_components/ui/switch';
import { weekdays } from '@/server/notifications/schema';
import type { RulesFields } from './rules-model';

const dayLabels = { MO: 'Mo', TU: 'Tu', WE: 'We', TH: 'Th', FR: 'Fr', SA: 'Sa', SU: 'Su' } as const;
const zones = Intl.supportedValuesOf('timeZone');

export function QuietHoursFields() {
  const { control, register, watch, formState } = useFormContext<RulesFields>();
  const errors = formState.errors.quietHours;
  const { to, timezone } = watch('quietHours');
  const known = ['UTC', ...zones.filter((zone) => zone !== 'UTC')];
  const options = (known.includes(timezone) ? known : [timezone, ...known]).map((value) => ({
    value,
    label: value.replaceAll('_', ' '),
  }));
  const toggle = (
    <Controller
      control={control}
      name="isQuiet"
      render={({ field }) => <Switch aria-label="Quiet hours" checked={field.value} onCheckedChange={field.onChange} />}
    />
  );
  return (
    <Section title="Quiet hours" actions={toggle}>
      {watch('isQuiet') ? (
        <div className="grid gap-4">
          <div className="grid grid-cols-2 gap-4">
            <Field label="From" error={errors?.from?.message}>
              <Input type="time" {...register('quietHours.from')} />
            </Field>
            <Field label="To" error={errors?.to?.message}>
              <Input type="time" {...register('quietHours.to')} />
            </Field>
          </div>
          <Days />
          <Field label="Time zone" error={errors?.timezone?.message}>
            <Controller
              control={control}
              name="quietHours.timezone"
              render={({ field }) => <Select options={options} value={field.value} onValueChange={field.onChange} />}
            />
          </Field>
          <p className="text-small text-muted">Messages are held and sent as one summary at {to}.</p>
          <Controller
            control={control}
            name="quietHours.sendsCritical"
            render={({ field }) => (
              <CheckboxRow checked={field.value} onCheckedChange={(isOn) => field.onChange(isOn === true)}>
                Send critical alerts anyway
              </CheckboxRow>
            )}
          />
        </div>
      ) : (
        <p className="text-small text-muted">Alerts are sent at any time.</p>
      )}
    </Section>
  );
}

function Days() {
  const { watch, setValue, formState } = useFormContext<RulesFields>();
  const days = watch('quietHours.days');
  const error = formState.errors.quietHours?.days?.message;
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 font-medium">Starts on</legend>
      <div className="flex flex-wrap gap-1">
        {weekdays.map((day) => (
          <Button
            key={day}
            aria-pressed={days.includes(day)}
            onClick={() => {
              const chosen = weekdays.filter((each) => (each === day) !== days.includes(each));
              setValue('quietHours.days', chosen, { shouldDirty: true, shouldValidate: true });
            }}
          >
            {dayLabels[day]}
          </Button>
        ))}
      </div>
      {error ? <FieldError>{error}</FieldError> : null}
    </fieldset>
  );
}
