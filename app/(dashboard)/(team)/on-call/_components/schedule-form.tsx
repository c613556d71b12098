'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import Link from 'next/link';
import { Controller, type FieldPath, useFieldArray, useForm } from 'react-hook-form';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { SaveForm } from '@/app/_components/forms/save-form';
import { useRemove } from '@/app/_components/forms/use-remove';
import type { EditedVersion } from '@/app/_components/forms/use-unsaved';
import { whenTouched } from '@/app/_components/forms/when-touched';
import { localAt } from '@/app/_components/time/local-time';
import { useChosenTimeZone } from '@/app/_components/time/time-zone';
import { Button } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { Icon } from '@/app/_components/ui/icon';
import { Input } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import { CreateScheduleInput, type Schedule } from '@/server/on-call/schema';
import { LayerFields, type ScheduleFields } from './layer-fields';

export interface ScheduleFormProps {
  /** The schedule to edit; without it, the form creates a new one. */
  schedule?: Schedule;
  edit?: EditedVersion;
  /** Saves the schedule; the form shows its errors at the fields. */
  onSave: (input: CreateScheduleInput) => Promise<void>;
}

const newLayer = (name: string, startDate: string): ScheduleFields['layers'][number] => ({
  name,
  userIds: [],
  rotation: { unit: 'weeks', every: 1 },
  startDate,
  handoverTime: '08:00',
  restrictions: [],
});

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

/** The field that shows an issue. Issues of a person are shown at the people of its layer. */
function scheduleFieldOf(path: string): FieldPath<ScheduleFields> | null {
  const [, layer] = /^(layers\.\d+\.userIds)/.exec(path) ?? [];
  if (layer) return layer as FieldPath<ScheduleFields>;
  return /^(name|timezone|layers\.\d+\.)/.test(path) ? (path as FieldPath<ScheduleFields>) : null;
}

/** The form to create or edit a schedule. */
export function ScheduleForm({ schedule, edit, onSave }: ScheduleFormProps) {
  const zone = useChosenTimeZone() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const today = localAt(Date.now(), schedule?.timezone ?? zone).slice(0, 10);
  const form = useForm<ScheduleFields, unknown, CreateScheduleInput>({
    defaultValues: schedule
      ? { name: schedule.name, timezone: schedule.timezone, layers: schedule.layers }
      : { name: '', timezone: zone, layers: [newLayer('Primary', today)] },
    resolver: zodResolver(CreateScheduleInput),
    ...whenTouched,
    shouldFocusError: false,
  });
  const layers = useFieldArray({ control: form.control, name: 'layers' });
  const { addButton, remove } = useRemove('layers', layers.remove);
  const { errors } = form.formState;
  const timezone = form.watch('timezone') ?? 'UTC';
  const options = (zones.includes(timezone) ? zones : [timezone, ...zones]).map((value) => {
    return { value, label: value.replaceAll('_', ' ') };
  });
  return (
    <SaveForm
      form={form}
      label={schedule ? `Edit ${schedule.name}` : 'New schedule'}
      verb={schedule ? 'Save changes' : 'Create schedule'}
      edit={edit}
      fieldOf={scheduleFieldOf}
      onSave={onSave}
      actions={
        <Button asChild variant="ghost">
          <Link href={schedule ? `/on-call/schedules/${schedule.id}` : '/on-call/schedules'}>Discard</Link>
        </Button>
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Name" error={errors.name?.message}>
          <Input autoComplete="off" placeholder="Payments" {...form.register('name')} />
        </Field>
        <Field label="Time zone" error={errors.timezone?.message}>
          <Controller
            control={form.control}
            name="timezone"
            render={({ field }) => (
              <Select options={options} value={field.value ?? 'UTC'} onValueChange={field.onChange} />
            )}
          />
        </Field>
      </div>
      <p className="text-muted">Higher layers take precedence over lower ones, and overrides over all layers.</p>
      {layers.fields.map((layer, index) => (
        <LayerFields
          key={layer.id}
          index={index}
          onRemove={layers.fields.length > 1 ? () => remove(index) : null}
          onMoveUp={index > 0 ? () => layers.move(index, index - 1) : null}
        />
      ))}
      <FormProblem>{errors.layers?.root?.message ?? null}</FormProblem>
      <div>
        <Button ref={addButton} onClick={() => layers.append(newLayer(`Layer ${layers.fields.length + 1}`, today))}>
          <Icon name="plus" />
          Add layer
        </Button>
      </div>
    </SaveForm>
  );
}
