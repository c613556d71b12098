'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { FailedQuery } from '@/app/_components/failed-query';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { useTRPC } from '@/app/_trpc/client';
import type { Import } from '@/server/imports/schema';
import { Preview } from './preview';
import { Report } from './report';
import { Running } from './running';
import { Steps } from './steps';
import { Upload } from './upload';

/** The steps of an import, by its state. `id` is null before the upload. */
export function ImportView({ initial, id }: { initial: { imports: Import[] } | undefined; id: string | null }) {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const list = useQuery(trpc.imports.list.queryOptions(undefined, { ...(initial && { initialData: initial }) }));
  const open = (next: string | null) => {
    void queryClient.invalidateQueries(trpc.imports.pathFilter());
    router.push(next === null ? '/monitors/import' : `/monitors/import?id=${next}`);
  };
  if (id !== null) return <OneImport key={id} id={id} onLeave={() => open(null)} />;
  return (
    <>
      <Steps current={0} />
      <Upload imports={list.data?.imports ?? []} onRead={open} />
    </>
  );
}

function OneImport({ id, onLeave }: { id: string; onLeave: () => void }) {
  const trpc = useTRPC();
  const report = useQuery(trpc.imports.get.queryOptions({ id }));
  const refresh = () => void report.refetch();
  if (!report.data)
    return report.isError ? <FailedQuery query={report} title="The import could not be loaded" /> : <RowsLoading />;
  const { state } = report.data.import;
  switch (state) {
    case 'uploading':
    case 'ready':
      return (
        <>
          <Steps current={1} />
          <Preview id={id} onStarted={refresh} onLeave={onLeave} />
        </>
      );
    case 'running':
    case 'undoing':
      return (
        <>
          <Steps current={2} />
          <Running key={state} initial={report.data.import} onEnded={refresh} />
        </>
      );
    case 'done':
    case 'undone':
      return (
        <>
          <Steps current={3} />
          <Report report={report.data} onChanged={refresh} onLeave={onLeave} />
        </>
      );
    default:
      return state satisfies never;
  }
}
