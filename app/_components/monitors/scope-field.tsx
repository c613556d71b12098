'use client';

import { Controller, useFormContext } from 'react-hook-form';
import { TagInput } from '@/app/_components/forms/tag-input';
import { ChosenMonitors } from '@/app/_components/monitors/chosen-monitors';
import { Field } from '@/app/_components/ui/field';
import { SwitchRow } from '@/app/_components/ui/switch';
import type { ScopeFields } from './scope-model';

export interface ScopeFieldProps {
  legend: string;
  /** The label of the switch for all monitors. */
  all: string;
}

/** Selects monitors in a form with the fields of `scopeShape`: all, or some by name and tag. */
export function ScopeField({ legend, all }: ScopeFieldProps) {
  const { control, watch, setValue, formState } = useFormContext<ScopeFields>();
  const { errors } = formState;
  const choose = (monitorIds: string[]) =>
    setValue('monitorIds', monitorIds, { shouldDirty: true, shouldValidate: true });
  return (
    <fieldset className="grid min-w-0 gap-4">
      <legend className="mb-3 text-lead font-semibold">{legend}</legend>
      <Controller
        control={control}
        name="isAll"
        render={({ field }) => (
          <SwitchRow checked={field.value} onCheckedChange={field.onChange}>
            {all}
          </SwitchRow>
        )}
      />
      {watch('isAll') ? null : (
        <>
          <ChosenMonitors ids={watch('monitorIds')} error={errors.monitorIds?.message} onChange={choose} />
          <Field
            label="Tags"
            optional
            error={errors.tags?.message}
            help="All monitors with one of these tags, including those tagged later."
          >
            <Controller
              control={control}
              name="tags"
              render={({ field }) => (
                <TagInput
                  value={field.value}
                  onValueChange={field.onChange}
                  onBlur={field.onBlur}
                  placeholder="payments"
                />
              )}
            />
          </Field>
        </>
      )}
    </fieldset>
  );
}
