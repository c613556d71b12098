'use client';

import { Controller, useFormContext } from 'react-hook-form';
import { formatCount } from '@/app/_components/format';
import { TagInput } from '@/app/_components/forms/tag-input';
import { ChosenMonitors } from '@/app/_components/monitors/chosen-monitors';
import { Section } from '@/app/_components/page';
import { CheckboxRow } from '@/app/_components/ui/checkbox';
import { Field, FieldError } from '@/app/_components/ui/field';
import { Select } from '@/app/_components/ui/select';
import { ToggleGroup } from '@/app/_components/ui/toggle-group';
import type { RulesFields } from './rules-model';

const scopes = [
  { value: 'all', label: 'All' },
  { value: 'tags', label: 'By tag' },
  { value: 'selected', label: 'Selected' },
] as const;

const severities = [
  { value: 'minor', label: 'All severities' },
  { value: 'warning', label: 'Warning and above' },
  { value: 'critical', label: 'Critical only' },
] as const;

const events = [
  { value: 'down', label: 'Down' },
  { value: 'degraded', label: 'Degraded' },
  { value: 'certificate', label: 'Certificate expiry' },
  { value: 'manual', label: 'Manual incidents' },
  { value: 'acknowledged', label: 'Acknowledged' },
  { value: 'recovered', label: 'Recovered' },
  { value: 'maintenance', label: 'Maintenance' },
] as const;

export interface RoutingFieldsProps {
  /** The number of monitors that the saved rules match. */
  matching: number;
  /** Whether the channel pages people. Such channels get no messages about planned maintenance. */
  isPaging: boolean;
}

/** Which alerts a channel gets. */
export function RoutingFields({ matching, isPaging }: RoutingFieldsProps) {
  const offered = events.filter(({ value }) => !(isPaging && value === 'maintenance'));
  const { control, formState } = useFormContext<RulesFields>();
  const { dirtyFields } = formState;
  const isOtherScope = Boolean(dirtyFields.scope || dirtyFields.tags || dirtyFields.monitorIds);
  return (
    <Section title="Routing">
      <div className="grid gap-4">
        <div className="grid justify-items-start gap-1.5">
          <span className="font-medium">Monitors</span>
          <Controller
            control={control}
            name="scope"
            render={({ field }) => (
              <ToggleGroup label="Monitors" options={scopes} value={field.value} onValueChange={field.onChange} />
            )}
          />
        </div>
        <Scope />
        <p className="text-small text-muted">
          {isOtherScope
            ? 'Save the rules to see how many monitors match.'
            : `Matches ${formatCount(matching)} ${matching === 1 ? 'monitor' : 'monitors'} with this channel.`}
        </p>
        <Controller
          control={control}
          name="events"
          render={({ field }) => (
            <fieldset className="min-w-0">
              <legend className="mb-1 font-medium">Events</legend>
              {offered.map(({ value, label }) => (
                <CheckboxRow
                  key={value}
                  checked={field.value.includes(value)}
                  onCheckedChange={(isOn) => {
                    const others = field.value.filter((each) => each !== value);
                    field.onChange(isOn === true ? [...others, value] : others);
                  }}
                >
                  {label}
                </CheckboxRow>
              ))}
            </fieldset>
          )}
        />
        <Field label="Minimum severity">
          <Controller
            control={control}
            name="minSeverity"
            render={({ field }) => <Select options={severities} value={field.value} onValueChange={field.onChange} />}
          />
        </Field>
      </div>
    </Section>
  );
}

function Scope() {
  const { control, watch, setValue, formState } = useFormContext<RulesFields>();
  const { errors } = formState;
  const scope = watch('scope');
  if (scope === 'all') return null;
  return (
    <>
      {scope === 'selected' ? (
        <ChosenMonitors
          ids={watch('monitorIds')}
          onChange={(ids) => setValue('monitorIds', ids, { shouldDirty: true, shouldValidate: true })}
        />
      ) : null}
      <Field
        label="Tags"
        optional={scope === 'selected'}
        error={errors.tags?.message}
        help="All monitors with one of these tags, including those tagged later."
      >
        <Controller
          control={control}
          name="tags"
          render={({ field }) => (
            <TagInput value={field.value} onValueChange={field.onChange} onBlur={field.onBlur} placeholder="payments" />
          )}
        />
      </Field>
      {errors.monitorIds ? <FieldError>{errors.monitorIds.message}</FieldError> : null}
    </>
  );
}
