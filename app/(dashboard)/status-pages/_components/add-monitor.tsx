'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { stateWords } from '@/app/_components/states';
import { Field } from '@/app/_components/ui/field';
import { Glyph } from '@/app/_components/ui/glyph';
import { Icon } from '@/app/_components/ui/icon';
import { Input } from '@/app/_components/ui/input';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import type { NamedMonitor } from './monitors-field';

/** How many are offered at once; searching finds the others. */
const offered = 8;

/** Finds monitors of the team that are not on the page, and puts one on it with a press. */
export function AddMonitor({ chosen, onAdd }: { chosen: string[]; onAdd: (monitor: NamedMonitor) => void }) {
  const trpc = useTRPC();
  const [text, setText] = useState('');
  const search = useDeferredValue(text.trim());
  const query = useQuery(
    trpc.monitors.overview.queryOptions(
      { limit: 100, ...(search !== '' && { search }) },
      { placeholderData: keepPreviousData },
    ),
  );
  const free = query.data?.rows.filter(({ id }) => !chosen.includes(id)) ?? [];
  const more = free.length > offered || (query.data?.nextCursor ?? null) !== null;
  return (
    <div className="grid gap-2">
      <Field label={<span className="text-small text-muted">Add a monitor</span>}>
        <Input
          type="search"
          autoComplete="off"
          placeholder="Search by name, address or tag"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            // Enter looks for monitors here, and does not send the form.
            if (event.key === 'Enter') event.preventDefault();
          }}
        />
      </Field>
      {query.isError && !query.data ? (
        <p role="alert" className="text-small text-muted">
          {readApiError(query.error).message}
        </p>
      ) : null}
      {free.length > 0 ? (
        <ul aria-label="Monitors to add" className="flex flex-wrap gap-1.5">
          {free.slice(0, offered).map(({ id, name, status }) => (
            <li key={id} className="max-w-full">
              <button
                type="button"
                onClick={() => onAdd({ id, name, status })}
                className="inline-flex min-h-10 max-w-full items-center gap-1.5 rounded-2 border border-strong bg-surface px-2 hover:bg-hover sm:min-h-[26px]"
              >
                <Icon name="plus" small className="text-muted" />
                <span className="sr-only">Add</span>
                <Glyph state={status} size="small" />
                <span className="truncate">{name}</span>
                <span className="sr-only">, {stateWords[status]}</span>
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      {query.data ? <p className="text-small text-faint">{hint(query.data.total, free.length, search, more)}</p> : null}
    </div>
  );
}

/** What there is to say beside the monitors on offer. */
function hint(total: number, free: number, search: string, more: boolean): string | null {
  if (total === 0) return 'There are no monitors yet.';
  if (free === 0) return search === '' ? 'All monitors are on the page.' : 'No other monitor matches.';
  return more ? 'There are more; search for them.' : null;
}
