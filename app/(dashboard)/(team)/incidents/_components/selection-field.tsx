'use client';

import { useState } from 'react';
import { StateLabel } from '@/app/_components/status/state-label';
import type { State } from '@/app/_components/status/states';
import { Button } from '@/app/_components/ui/button';
import { FieldError } from '@/app/_components/ui/field';
import { Icon } from '@/app/_components/ui/icon';

/** A selected object. Its status is null while it loads. */
export interface Selected {
  name: string;
  detail?: string | undefined;
  status: State | null;
}

export interface SelectionFieldProps {
  /** "Monitors" */
  label: string;
  value: readonly string[];
  onValueChange: (ids: string[]) => void;
  /** The maximum number of objects; the search is hidden from then on. */
  most?: number;
  /** The ID of an object that cannot be removed. */
  fixedId?: string | null;
  error: string | undefined;
  useSelected: (id: string) => Selected;
  /** Renders the search for objects to add. */
  find: (search: { autoFocus: boolean; onChoose: (id: string) => void }) => React.ReactNode;
}

/** A list of selected objects with a search that adds more. */
export function SelectionField(props: SelectionFieldProps) {
  const { label, value, onValueChange, most = Infinity, fixedId = null, error, useSelected, find } = props;
  // Each change removes the pressed button, so focus moves to the button at its place.
  const [changed, setChanged] = useState<string | null>(null);
  const choose = (ids: string[], id: string) => {
    setChanged(id);
    onValueChange(ids);
  };
  const remove = (id: string) =>
    choose(
      value.filter((each) => each !== id),
      'search',
    );
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-2">
      <legend className="sr-only">{label}</legend>
      {value.length > 0 ? (
        <ul aria-label={`Selected ${label.toLowerCase()}`} className="divide-y rounded-3 border">
          {value.map((id) => (
            <Row
              key={id}
              id={id}
              useSelected={useSelected}
              autoFocus={id === changed}
              onRemove={id === fixedId ? null : () => remove(id)}
            />
          ))}
        </ul>
      ) : null}
      {value.length < most ? (
        <div key={changed === 'search' ? value.length : 'same'}>
          {find({ autoFocus: changed === 'search', onChoose: (id) => choose([...value, id], id) })}
        </div>
      ) : null}
      {error ? <FieldError>{error}</FieldError> : null}
    </fieldset>
  );
}

interface RowProps extends Pick<SelectionFieldProps, 'useSelected'> {
  id: string;
  autoFocus: boolean;
  onRemove: (() => void) | null;
}

function Row({ id, useSelected, autoFocus, onRemove }: RowProps) {
  const { name, detail, status } = useSelected(id);
  return (
    <li className="flex min-h-10 items-center gap-2 py-1 pr-1 pl-3">
      <span className="min-w-0 grow truncate">
        <span className="font-medium">{name}</span>
        {detail === undefined ? null : <span className="text-small text-faint"> {detail}</span>}
      </span>
      {status === null ? null : <StateLabel state={status} />}
      {onRemove ? (
        <Button autoFocus={autoFocus} variant="ghost" square aria-label={`Remove ${name}`} onClick={onRemove}>
          <Icon name="x" />
        </Button>
      ) : null}
    </li>
  );
}
