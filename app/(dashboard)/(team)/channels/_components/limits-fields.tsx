'use client';

import { Controller, useFormContext } from 'react-hook-form';
import { formatLongDuration } from '@/app/_components/format';
import { Section } from '@/app/_components/page';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import type { RulesFields } from './rules-model';

const intervals = ['0', '10', '30', '60', '240', '1440'];

function intervalOption(minutes: string) {
  return { value: minutes, label: minutes === '0' ? 'Off' : `Every ${formatLongDuration(Number(minutes) * 60)}` };
}

export function LimitsFields() {
  const { control, register, watch, formState } = useFormContext<RulesFields>();
  const { errors } = formState;
  const minutes = watch('reminderMinutes');
  const options = (intervals.includes(minutes) ? intervals : [...intervals, minutes]).map(intervalOption);
  return (
    <Section title="Frequency">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Reminders"
          error={errors.reminderMinutes?.message}
          help="At most 10 for each incident, until somebody acknowledges it."
        >
          <Controller
            control={control}
            name="reminderMinutes"
            render={({ field }) => <Select options={options} value={field.value} onValueChange={field.onChange} />}
          />
        </Field>
        <Field
          label="Messages per minute"
          error={errors.maxPerMinute?.message}
          help="Messages above this limit are combined and sent later."
        >
          <Input inputMode="numeric" {...register('maxPerMinute')} />
        </Field>
      </div>
    </Section>
  );
}
