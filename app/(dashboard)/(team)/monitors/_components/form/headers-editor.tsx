'use client';

import { useFieldArray, useFormContext } from 'react-hook-form';
import { Button } from '@/app/_components/ui/button';
import { Icon } from '@/app/_components/ui/icon';
import { Input } from '@/app/_components/ui/input';
import { ListError } from './fields';
import type { MonitorFields } from './model';

/** The headers a check sends. Values that look like credentials are kept sealed and shown as a mask. */
export function HeadersEditor({ name }: { name: 'http.headers' | 'websocket.headers' }) {
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
        Add a header
      </Button>
    </fieldset>
  );
}
