import type { Metadata } from 'next';
import { firstData } from '@/app/_trpc/first-data';
import { pageCaller, requirePerson } from '@/app/_trpc/server';
import { readChoice, reportInput } from './_components/report-choice';
import { ReportView } from './_components/report-view';

export const metadata: Metadata = { title: { absolute: 'Reports · Upwatch' } };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function ReportsPage({ searchParams }: Props) {
  await requirePerson();
  const params = await searchParams;
  const choice = readChoice((name) => [params[name]].flat()[0] ?? null);
  const input = reportInput(choice, new Date());
  const caller = await pageCaller();
  const data = await firstData(() => caller.reports.get(input));
  return <ReportView initial={data && { input, data }} />;
}
