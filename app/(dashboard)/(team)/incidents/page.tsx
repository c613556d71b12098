import type { Metadata } from 'next';
import { firstData } from '@/app/_trpc/first-data';
import { pageCaller, requirePerson } from '@/app/_trpc/server';
import { IncidentsView } from './_components/incidents-view';
import { filterOf, readShow } from './_components/show';

export const metadata: Metadata = { title: { absolute: 'Incidents · Upwatch' } };

export default async function IncidentsPage({ searchParams }: { searchParams: Promise<{ show?: string | string[] }> }) {
  const me = await requirePerson();
  const caller = await pageCaller();
  const show = readShow((await searchParams).show);
  const data = await firstData(() => caller.incidents.list({ ...filterOf(show), limit: 50 }));
  return <IncidentsView initial={data && { show, data }} canWrite={me.role !== 'viewer'} />;
}
