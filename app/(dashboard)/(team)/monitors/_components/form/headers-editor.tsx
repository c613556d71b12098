'use client';

import { useFieldArray, useFormContext } from 'react-hook-form';
import { Button } from '@/app/_components/ui/button';
import { Icon } from '@/app/_components/ui/icon';
import { Input } from '@/app/_components/ui/input';
import { ListError } from './fields';
import type { HeaderField } from './figures';
import type { MonitorFields } from './monitor-fields';

/** The types whose checks send headers. */
type WithHeaders = {
  [T in keyof MonitorFields]: MonitorFields[T] extends { headers: HeaderField[] } ? T : never;
}[keyof MonitorFields];

/** The headers of a check. Values that look like credentials are stored encrypted and shown masked. */
export function HeadersEditor({ name }: { name: `${WithHeaders}.headers` }) {
  const { register } = useFormContext<MonitorFields>();
  const { fields, append, remove } = useFieldArray<MonitorFields, typeof name>({ name });
  return (
    <fieldset className="grid min-w-0 justify-items-start gap-2">
      <legend className="mb-1.5 font-medium">Headers</legend>
      {fields.map((field, index) => (
        <div key={field.id} className="flex w-full gap-2">
          <Input
            mono
            aria-label={`Header ${index + 1}`}
            placeholder="accept"
            className="w-2/5"
            {...register(`${name}.${index}.name`)}
          />
          <Input
            mono
            aria-label={`Header ${index + 1}, value`}
            placeholder="application/json"
            className="flex-1"
            {...register(`${name}.${index}.value`)}
          />
          <Button variant="ghost" square aria-label={`Remove header ${index + 1}`} onClick={() => remove(index)}>
            <Icon name="x" />
          </Button>
        </div>
      ))}
      <ListError name={name} />
      <Button size="small" onClick={() => append({ name: '', value: '' })}>
        <Icon name="plus" small />
        Add header
      </Button>
    </fieldset>
  );
}
