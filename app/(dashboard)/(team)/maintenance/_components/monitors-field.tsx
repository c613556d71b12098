'use client';

import { useQuery } from '@tanstack/react-query';
import { Controller, useFormContext } from 'react-hook-form';
import { TagInput } from '@/app/_components/forms/tag-input';
import { FindMonitor } from '@/app/_components/monitors/find-monitor';
import { Button } from '@/app/_components/ui/button';
import { Field, FieldError } from '@/app/_components/ui/field';
import { Icon } from '@/app/_components/ui/icon';
import { SwitchRow } from '@/app/_components/ui/switch';
import { useTRPC } from '@/app/_trpc/client';
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
          {ids.length > 0 ? (
            <ul aria-label="Selected monitors" className="divide-y rounded-3 border">
              {ids.map((id) => (
                <Chosen key={id} id={id} onRemove={() => choose(ids.filter((each) => each !== id))} />
              ))}
            </ul>
          ) : null}
          <FindMonitor
            label="Monitors"
            verb="Add"
            listLabel="Available monitors"
            taken={ids}
            allTaken="All monitors are selected."
            optional
            onChoose={({ id }) => choose([...ids, id])}
          />
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

function Chosen({ id, onRemove }: { id: string; onRemove: () => void }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.monitors.get.queryOptions({ id }));
  const name = query.data?.monitor.name ?? (query.isPending ? '…' : 'Deleted monitor');
  return (
    <li className="flex items-center gap-2 py-1 pr-1 pl-3">
      <span className="min-w-0 grow truncate font-medium">{name}</span>
      <Button variant="ghost" square aria-label={`Remove ${name}`} onClick={onRemove}>
        <Icon name="x" />
      </Button>
    </li>
  );
}
