import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { PageHead } from '@/app/_components/page';
import { firstData } from '@/app/_trpc/first-data';
import { pageCaller, requirePerson } from '@/app/_trpc/server';
import { ImportView } from './_components/import-view';

export const metadata: Metadata = { title: { absolute: 'Import monitors · Upwatch' } };

export default async function ImportPage({ searchParams }: { searchParams: Promise<{ id?: string | string[] }> }) {
  const me = await requirePerson();
  if (me.role === 'viewer') redirect('/monitors');
  const caller = await pageCaller();
  const { id } = await searchParams;
  const initial = await firstData(() => caller.imports.list());
  return (
    <>
      <PageHead title="Import monitors" />
      <ImportView initial={initial} id={typeof id === 'string' ? id : null} />
    </>
  );
}
