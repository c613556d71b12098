'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useFormContext } from 'react-hook-form';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import { previewTimes, type WindowFields } from './window-model';
import { spanText } from './window-words';

/** When the window of a form takes place next, in its own time zone. */
export function NextWindows() {
  const trpc = useTRPC();
  const { watch } = useFormContext<WindowFields>();
  const [startsAt, endsAt, timezone, repeats, days, rule] = watch([
    ...(['startsAt', 'endsAt', 'timezone', 'repeats', 'days', 'rule'] as const),
  ]);
  const times = useDeferredValue(previewTimes({ startsAt, endsAt, timezone, repeats, days, rule }));
  const query = useQuery(
    trpc.maintenance.preview.queryOptions(times ?? { startsAt: '', endsAt: '' }, {
      enabled: times !== null && repeats !== 'never',
      placeholderData: keepPreviousData,
      retry: false,
    }),
  );
  if (!times || repeats === 'never') return null;
  const occurrences = query.data?.occurrences ?? [];
  return (
    <section aria-labelledby="next-windows" className="rounded-3 border p-3">
      <p id="next-windows" className="mb-1 font-medium">
        Next windows <span className="font-normal text-muted">({timezone.replaceAll('_', ' ')})</span>
      </p>
      {query.isPending ? <p className="text-muted">Loading…</p> : null}
      {query.isError ? <p className="text-muted">{readApiError(query.error).message}</p> : null}
      {query.isSuccess && occurrences.length === 0 ? <p className="text-muted">No window is left.</p> : null}
      <ul className="num grid gap-0.5">
        {query.isError
          ? null
          : occurrences.map((each) => <li key={each.startsAt}>{spanText(each, timezone, Date.now())}</li>)}
      </ul>
    </section>
  );
}
