'use client';

import { useFieldArray, useFormContext } from 'react-hook-form';
import { Button } from '@/app/_components/ui/button';
import { Icon } from '@/app/_components/ui/icon';
import { Input } from '@/app/_components/ui/input';
import type { HeaderField } from './field-kinds';
import { ListError } from './fields';
import type { ConfigName } from './monitor-fields';

/** The form fields that are lists of headers. */
type Lists = Record<string, HeaderField[]>;

/** The headers of a check. Values that look like credentials are stored encrypted and shown masked. */
export function HeadersEditor({ name }: { name: ConfigName }) {
  const { register } = useFormContext<Lists>();
  const { fields, append, remove } = useFieldArray<Lists>({ name });
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
