'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useFormContext } from 'react-hook-form';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import { spanText } from '@/server/maintenance/schema';
import { previewTimes, type WindowFields } from './window-fields';

const names = ['startsAt', 'endsAt', 'timezone', 'repeats', 'days', 'rule'] as const;

/**
 * Previews the next occurrences of the window in the form, in its own time zone. Renders nothing for a saved window with unchanged times, whose
 * occurrences the page lists.
 */
export function NextWindows({ id }: { id: string | undefined }) {
  const trpc = useTRPC();
  const { watch, formState } = useFormContext<WindowFields>();
  const isChanged = names.some((name) => formState.dirtyFields[name]);
  const [startsAt, endsAt, timezone, repeats, days, rule] = watch([...names]);
  const isShown = repeats !== 'never' && (id === undefined || isChanged);
  const times = useDeferredValue(previewTimes({ startsAt, endsAt, timezone, repeats, days, rule }));
  const query = useQuery(
    trpc.maintenance.preview.queryOptions(times ? { ...times, ...(id && { id }) } : { startsAt: '', endsAt: '' }, {
      enabled: times !== null && isShown,
      placeholderData: keepPreviousData,
      retry: false,
    }),
  );
  if (!times || !isShown) return null;
  const occurrences = query.data?.occurrences ?? [];
  return (
    <section aria-labelledby="next-windows" className="rounded-3 border p-3">
      <p id="next-windows" className="mb-1 font-medium">
        {id === undefined ? 'Next windows' : 'Next windows after saving'}{' '}
        <span className="font-normal text-muted">({timezone.replaceAll('_', ' ')})</span>
      </p>
      {query.isPending ? <p className="text-muted">Loading…</p> : null}
      {query.isError ? <p className="text-muted">{readApiError(query.error).message}</p> : null}
      {query.isSuccess && occurrences.length === 0 ? <p className="text-muted">No upcoming windows</p> : null}
      <ul className="num grid gap-0.5">
        {query.isError
          ? null
          : occurrences.map((each) => <li key={each.startsAt}>{spanText(each, timezone, Date.now())}</li>)}
      </ul>
      {id === undefined ? null : (
        <p className="mt-1 text-small text-muted">Skipped windows stay skipped if their start time does not change.</p>
      )}
    </section>
  );
}
