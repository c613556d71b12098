'use client';

import { Controller, useFormContext } from 'react-hook-form';
import { TagInput } from '@/app/_components/forms/tag-input';
import { ChosenMonitors } from '@/app/_components/monitors/chosen-monitors';
import { Field, FieldError } from '@/app/_components/ui/field';
import { SwitchRow } from '@/app/_components/ui/switch';
import type { WindowFields } from './window-model';

/** The monitors of a window: all, or these and those with one of these tags. */
export function MonitorsField() {
  const { control, watch, setValue, formState } = useFormContext<WindowFields>();
  const { errors } = formState;
  const ids = watch('monitorIds');
  const choose = (monitorIds: string[]) =>
    setValue('monitorIds', monitorIds, { shouldDirty: true, shouldValidate: true });
  return (
    <fieldset className="grid min-w-0 gap-4">
      <legend className="mb-3 text-lead font-semibold">Affected monitors</legend>
      <Controller
        control={control}
        name="isAll"
        render={({ field }) => (
          <SwitchRow checked={field.value} onCheckedChange={field.onChange}>
            All monitors, also those added later
          </SwitchRow>
        )}
      />
      {watch('isAll') ? null : (
        <>
          <ChosenMonitors ids={ids} onChange={choose} />
          <Field
            label="Tags"
            optional
            error={errors.tags?.message}
            help="All monitors with one of these tags. Monitors that get the tag later are included."
          >
            <Controller
              control={control}
              name="tags"
              render={({ field }) => (
                <TagInput
                  value={field.value}
                  onValueChange={field.onChange}
                  onBlur={field.onBlur}
                  placeholder="payouts"
                />
              )}
            />
          </Field>
          {errors.monitorIds ? <FieldError>{errors.monitorIds.message}</FieldError> : null}
        </>
      )}
    </fieldset>
  );
}
