'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FailedQuery } from '@/app/_components/failed-query';
import { LoadMore } from '@/app/_components/load-more';
import { Empty } from '@/app/_components/ui/empty';
import { Select } from '@/app/_components/ui/select';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { useTRPC } from '@/app/_trpc/client';
import { AuditRow } from './audit-row';
import { instanceKinds, type Kind, teamKinds } from './words';

/** The audit log of the team or the instance, newest first. Entries expand in place. */
export function AuditLog({ of }: { of: 'team' | 'instance' }) {
  const [kind, setKind] = useState<Kind>('all');
  return (
    <>
      <div className="mb-3">
        <Select
          look="quiet"
          aria-label="Filter by type"
          options={of === 'team' ? teamKinds : instanceKinds}
          value={kind}
          onValueChange={setKind}
        />
      </div>
      <Entries key={kind} of={of} kind={kind} />
    </>
  );
}

function useEntries(of: 'team' | 'instance', kind: Kind) {
  const trpc = useTRPC();
  const input = { limit: 50, ...(kind !== 'all' && { action: kind }) };
  const paging = { getNextPageParam: (page: { nextCursor: string | null }) => page.nextCursor ?? undefined };
  const team = useInfiniteQuery({
    ...trpc.audit.list.infiniteQueryOptions(input, paging),
    enabled: of === 'team',
  });
  const instance = useInfiniteQuery({
    ...trpc.audit.listAll.infiniteQueryOptions(input, paging),
    enabled: of === 'instance',
  });
  return of === 'team' ? team : instance;
}

function Entries({ of, kind }: { of: 'team' | 'instance'; kind: Kind }) {
  const log = useEntries(of, kind);
  if (log.isPending) return <RowsLoading label="Loading audit log" />;
  if (log.isError && !log.data) {
    return (
      <FailedQuery query={log} title="Could not load audit log">
        Changes are still being recorded.
      </FailedQuery>
    );
  }
  const entries = log.data.pages.flatMap((page) => page.entries);
  if (entries.length === 0) {
    return <Empty title="No matching changes">Changes appear here with their author, time and credential.</Empty>;
  }
  return (
    <>
      <ul aria-label="Changes" className="border-t">
        {entries.map((entry) => (
          <AuditRow key={entry.id} entry={entry} />
        ))}
      </ul>
      <LoadMore query={log} />
    </>
  );
}
