'use client';

import { useFieldArray, useFormContext } from 'react-hook-form';
import { useRemove } from '@/app/_components/forms/use-remove';
import { Button } from '@/app/_components/ui/button';
import { Icon } from '@/app/_components/ui/icon';
import { Input } from '@/app/_components/ui/input';
import type { HeaderField } from './field-kinds';
import { ListError } from './fields';
import type { ConfigName } from './monitor-fields';

/** The form fields that are lists of headers. */
type Lists = Record<string, HeaderField[]>;

export interface PairsEditorProps {
  name: ConfigName;
  /** What the names stand for, in the plural and in the singular. */
  label: string;
  one: string;
  /** What they belong to, if the form has several lists. */
  of?: string | undefined;
  help?: string | undefined;
  /** Examples of a name and of a value. */
  example: [name: string, value: string];
}

/** The headers of a check. Values that look like credentials are stored encrypted and shown masked. */
export function HeadersEditor({ name, of }: { name: ConfigName; of?: string }) {
  return <PairsEditor name={name} label="Headers" one="header" of={of} example={['accept', 'application/json']} />;
}

/** Edits names with their values. */
export function PairsEditor({ name, label, one, of, help, example }: PairsEditorProps) {
  const { register } = useFormContext<Lists>();
  const { fields, append, ...list } = useFieldArray<Lists>({ name });
  const { addButton, remove } = useRemove(name, list.remove);
  const titleOf = (index: number) => `${one} ${index + 1}${of === undefined ? '' : ` of ${of}`}`;
  const labelOf = (index: number) => titleOf(index).replace(/^./, (first) => first.toUpperCase());
  return (
    <fieldset className="grid min-w-0 justify-items-start gap-2">
      <legend className="mb-1.5 font-medium">{label}</legend>
      {help ? <p className="-mt-1 text-small text-muted">{help}</p> : null}
      {fields.map((field, index) => (
        <div key={field.id} className="flex w-full gap-2">
          <Input
            mono
            aria-label={labelOf(index)}
            placeholder={example[0]}
            className="w-2/5"
            {...register(`${name}.${index}.name`)}
          />
          <Input
            mono
            aria-label={`${labelOf(index)}, value`}
            placeholder={example[1]}
            className="flex-1"
            {...register(`${name}.${index}.value`)}
          />
          <Button
            variant="ghost"
            square
            data-removes={name}
            aria-label={`Remove ${titleOf(index)}`}
            onClick={() => remove(index)}
          >
            <Icon name="x" />
          </Button>
        </div>
      ))}
      <ListError name={name} />
      <Button ref={addButton} size="small" onClick={() => append({ name: '', value: '' })}>
        <Icon name="plus" small />
        Add {one}
      </Button>
    </fieldset>
  );
}
