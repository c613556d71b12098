'use client';

import { Glyph } from '@/app/_components/status/glyph';
import { type State, stateWords } from '@/app/_components/status/states';
import { Field } from '@/app/_components/ui/field';
import { Icon } from '@/app/_components/ui/icon';
import { Input } from '@/app/_components/ui/input';

export interface FindOption {
  id: string;
  name: string;
  /** Shown as a glyph; null for objects without a status. */
  status: State | null;
  /** Distinguishes options with the same name. */
  detail?: string;
}

export interface FindOptionsProps {
  /** The label: "Add a monitor". */
  label: React.ReactNode;
  /** The verb before each name: "Add". */
  verb: string;
  /** The accessible name of the list. */
  listLabel: string;
  placeholder: string;
  text: string;
  onTextChange: (text: string) => void;
  options: FindOption[];
  /** The note below the options. */
  note: string | null;
  /** Why there are no options. */
  failure: string | null;
  optional: boolean;
  /** Whether the search takes the focus, because it replaced the focused element. */
  autoFocus?: boolean | undefined;
  error?: string | undefined;
  onChoose: (id: string) => void;
}

/** A search with buttons for its results. */
export function FindOptions(props: FindOptionsProps) {
  const { label, verb, listLabel, placeholder, text, onTextChange, options, note, failure, optional, error } = props;
  return (
    <div className="grid grid-cols-1 gap-2">
      <Field label={label} optional={optional} error={error}>
        <Input
          type="search"
          autoFocus={props.autoFocus}
          autoComplete="off"
          placeholder={placeholder}
          value={text}
          onChange={(event) => onTextChange(event.target.value)}
          onKeyDown={(event) => {
            // Enter searches instead of submitting the form.
            if (event.key === 'Enter') event.preventDefault();
          }}
        />
      </Field>
      {failure === null ? null : (
        <p role="alert" className="text-small text-muted">
          {failure}
        </p>
      )}
      {options.length > 0 ? (
        <ul aria-label={listLabel} className="flex flex-wrap gap-1.5">
          {options.map(({ id, name, status, detail }) => (
            <li key={id} className="max-w-full">
              <button
                type="button"
                onClick={() => props.onChoose(id)}
                className="inline-flex min-h-10 max-w-full items-center gap-1.5 rounded-2 border border-strong bg-surface px-2 hover:bg-hover sm:min-h-[26px]"
              >
                <Icon name="plus" small className="text-muted" />
                <span className="sr-only">{verb}</span>
                {status === null ? null : <Glyph state={status} size="small" />}
                <span className="truncate">{name}</span>
                {status === null ? null : <span className="sr-only">, {stateWords[status]}</span>}
                {detail === undefined ? null : <span className="truncate text-small text-faint">{detail}</span>}
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      {note === null ? null : <p className="text-small text-faint">{note}</p>}
    </div>
  );
}
