import type { CsvCell } from '@/app/_components/csv';
import { percentDigits } from '@/app/_components/format';
import { stateWords } from '@/app/_components/status/states';
import type { OverviewRow } from '@/server/monitor-types/schema';
import type { Column } from './filters';

interface CsvColumn {
  title: string;
  /** The column of the list that must be shown; undefined for those that cannot be hidden. */
  of?: Column;
  read: (row: OverviewRow) => CsvCell;
}

const all: CsvColumn[] = [
  { title: 'Name', read: ({ name }) => name },
  { title: 'Type', read: ({ type }) => type },
  { title: 'Target', read: ({ target }) => target },
  { title: 'Status', read: ({ status }) => stateWords[status] },
  { title: 'Since', read: ({ statusSince }) => statusSince },
  { title: 'Last error', read: ({ lastError }) => lastError },
  { title: 'Tags', of: 'tags', read: ({ tags }) => tags.join(', ') },
  { title: 'Depends on', of: 'tags', read: ({ parent }) => parent?.name ?? null },
  { title: 'p95 (ms)', of: 'p95', read: ({ p95Ms }) => p95Ms },
  {
    title: 'Uptime 30 d (%)',
    of: 'uptime',
    read: ({ uptime30d }) => (uptime30d === null ? null : Number(percentDigits(uptime30d))),
  },
  { title: 'Last check', of: 'checked', read: ({ lastCheckedAt }) => lastCheckedAt },
  { title: 'ID', read: ({ id }) => id },
];

/** The rows of the list as lines of a CSV file with a title, without hidden columns. Times are UTC (ISO 8601). */
export function monitorsCsv(rows: readonly OverviewRow[], hidden: readonly Column[]): CsvCell[][] {
  const shown = all.filter(({ of }) => of === undefined || !hidden.includes(of));
  return [shown.map(({ title }) => title), ...rows.map((row) => shown.map(({ read }) => read(row)))];
}
