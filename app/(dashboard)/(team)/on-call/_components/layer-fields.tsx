'use client';

import { Controller, get, useFieldArray, useFormContext } from 'react-hook-form';
import type { z } from 'zod';
import { useRemove } from '@/app/_components/forms/use-remove';
import { Button } from '@/app/_components/ui/button';
import { Field, FieldError } from '@/app/_components/ui/field';
import { Icon } from '@/app/_components/ui/icon';
import { Input } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import type { CreateScheduleInput } from '@/server/on-call/schema';
import { usePeople } from './use-people';

export type ScheduleFields = z.input<typeof CreateScheduleInput>;

export interface LayerFieldsProps {
  index: number;
  /** Null if the layer cannot be removed or moved. */
  onRemove: (() => void) | null;
  onMoveUp: (() => void) | null;
}

const units = [
  { value: 'hours', label: 'Hours' },
  { value: 'days', label: 'Days' },
  { value: 'weeks', label: 'Weeks' },
] as const;

export function LayerFields({ index, onRemove, onMoveUp }: LayerFieldsProps) {
  const { control, register, watch, formState } = useFormContext<ScheduleFields>();
  const path = `layers.${index}` as const;
  const errorOf = (field: string): string | undefined => get(formState.errors, `${path}.${field}.message`);
  const name = watch(`${path}.name`);
  return (
    <fieldset className="grid min-w-0 gap-4 rounded-3 border p-4">
      <legend className="px-1 font-semibold">Layer {index + 1}</legend>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Layer name" error={errorOf('name')}>
          <Input autoComplete="off" {...register(`${path}.name`)} />
        </Field>
        <Field label="First handoff" error={errorOf('startDate')}>
          <Input type="date" {...register(`${path}.startDate`)} />
        </Field>
        <Field label="Handoff time" error={errorOf('handoverTime')}>
          <Input type="time" {...register(`${path}.handoverTime`)} />
        </Field>
        <div className="grid grid-cols-2 gap-2">
          <Field label="Rotates every" error={errorOf('rotation.every')}>
            <Input type="number" min={1} {...register(`${path}.rotation.every`, { valueAsNumber: true })} />
          </Field>
          <Field label="Unit">
            <Controller
              control={control}
              name={`${path}.rotation.unit`}
              render={({ field }) => <Select options={units} value={field.value} onValueChange={field.onChange} />}
            />
          </Field>
        </div>
      </div>
      <People index={index} error={errorOf('userIds')} />
      <Restrictions index={index} />
      <div className="flex gap-2">
        {onMoveUp ? (
          <Button size="small" aria-label={`Move up ${name}`} onClick={onMoveUp}>
            Move up
          </Button>
        ) : null}
        {onRemove ? (
          <Button size="small" data-removes="layers" aria-label={`Remove layer ${name}`} onClick={onRemove}>
            Remove layer
          </Button>
        ) : null}
      </div>
    </fieldset>
  );
}

function People({ index, error }: { index: number; error: string | undefined }) {
  const { watch, setValue } = useFormContext<ScheduleFields>();
  const people = usePeople() ?? [];
  const path = `layers.${index}.userIds` as const;
  const ids = watch(path);
  const set = (userIds: string[]) => setValue(path, userIds, { shouldDirty: true, shouldValidate: true });
  const nameOf = (id: string) => people.find(({ user }) => user.id === id)?.user.name ?? 'Left the team';
  return (
    <Field label="People in rotation order" error={error}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {ids.length > 0 ? (
          <ol aria-label={`People of layer ${index + 1}`} className="divide-y rounded-3 border">
            {ids.map((id, place) => (
              <li
                // biome-ignore lint/suspicious/noArrayIndexKey: a person can have several turns
                key={`${id} ${place}`}
                className="flex items-center gap-2 px-3 py-1.5"
              >
                <span className="min-w-0 grow [overflow-wrap:anywhere]">{nameOf(id)}</span>
                {place > 0 ? (
                  <Button
                    size="small"
                    variant="ghost"
                    aria-label={`Move ${nameOf(id)} up`}
                    onClick={() => set([...ids.slice(0, place - 1), id, ids[place - 1] ?? '', ...ids.slice(place + 1)])}
                  >
                    Up
                  </Button>
                ) : null}
                <Button
                  size="small"
                  variant="ghost"
                  aria-label={`Remove ${nameOf(id)}`}
                  onClick={() => set(ids.filter((_, each) => each !== place))}
                >
                  Remove
                </Button>
              </li>
            ))}
          </ol>
        ) : null}
        <Select
          aria-label={`Add a person to layer ${index + 1}`}
          options={[
            { value: 'none', label: 'Add a person…', disabled: true },
            ...people.map(({ user }) => ({ value: user.id, label: user.name })),
          ]}
          value="none"
          onValueChange={(id) => set([...ids, id])}
        />
      </div>
    </Field>
  );
}

const days = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];

function Restrictions({ index }: { index: number }) {
  const { control, register, watch, setValue, formState } = useFormContext<ScheduleFields>();
  const path = `layers.${index}.restrictions` as const;
  const { fields, append, ...list } = useFieldArray({ control, name: path });
  const { addButton, remove } = useRemove(path, list.remove);
  return (
    <div className="grid gap-3">
      {fields.map((field, place) => {
        const chosen = watch(`${path}.${place}.days`) ?? [];
        const daysError: string | undefined = get(formState.errors, `${path}.${place}.days.message`);
        return (
          <fieldset key={field.id} className="flex min-w-0 flex-wrap items-end gap-2">
            <legend className="mb-1.5 font-medium">On call only</legend>
            <div className="flex flex-wrap gap-1">
              {days.map((label, day) => (
                <Button
                  key={label}
                  data-invalid={(day === 0 && daysError !== undefined) || undefined}
                  size="small"
                  aria-pressed={chosen.includes(day + 1)}
                  onClick={() => {
                    const next = [1, 2, 3, 4, 5, 6, 7].filter((each) => (each === day + 1) !== chosen.includes(each));
                    setValue(`${path}.${place}.days`, next, { shouldDirty: true, shouldValidate: true });
                  }}
                >
                  {label}
                </Button>
              ))}
            </div>
            <Field label="From" error={get(formState.errors, `${path}.${place}.from.message`)}>
              <Input type="time" {...register(`${path}.${place}.from`)} />
            </Field>
            <Field label="To" error={get(formState.errors, `${path}.${place}.to.message`)}>
              <Input type="time" {...register(`${path}.${place}.to`)} />
            </Field>
            <Button size="small" data-removes={path} onClick={() => remove(place)}>
              Remove
            </Button>
            {daysError === undefined ? null : <FieldError>{daysError}</FieldError>}
          </fieldset>
        );
      })}
      <div>
        <Button
          ref={addButton}
          size="small"
          onClick={() => append({ days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' })}
        >
          <Icon name="plus" small />
          Restrict to certain times
        </Button>
      </div>
    </div>
  );
}
