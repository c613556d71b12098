import type { CsvCell } from '@/app/_components/csv';
import { percentDigits } from '@/app/_components/format';
import type { Report, ReportRow } from '@/server/reports/schema';

type Figures = Report['overall'];

const figures: { title: string; read: (of: Figures) => CsvCell }[] = [
  { title: 'Uptime (%)', read: ({ ratio }) => (ratio === null ? null : Number(percentDigits(ratio))) },
  { title: 'Down (s)', read: ({ downSeconds }) => downSeconds },
  { title: 'Error budget (s)', read: ({ budgetSeconds }) => budgetSeconds },
  { title: 'Budget left (s)', read: ({ leftSeconds }) => leftSeconds },
  { title: 'Burn rate', read: ({ burnRate }) => burnRate },
  { title: 'Maintenance (s)', read: ({ maintenanceSeconds }) => maintenanceSeconds },
  { title: 'Unknown (s)', read: ({ unknownSeconds }) => unknownSeconds },
  { title: 'Excluded (s)', read: ({ excludedSeconds }) => excludedSeconds },
  { title: 'p50 (ms)', read: ({ p50Ms }) => p50Ms },
  { title: 'p95 (ms)', read: ({ p95Ms }) => p95Ms },
];

/** A report as lines of a CSV file: a title, the sum of all monitors, and each monitor. */
export function reportCsv(report: Report): CsvCell[][] {
  const { from, to, objective, overall, monitors } = report;
  const line = (first: CsvCell[], of: Figures): CsvCell[] => [
    ...first,
    from,
    to,
    objective,
    ...figures.map(({ read }) => read(of)),
  ];
  return [
    ['Monitor', 'Type', 'ID', 'From', 'To', 'Objective (%)', ...figures.map(({ title }) => title)],
    line(['All monitors', null, null], overall),
    ...monitors.map((row: ReportRow) => line([row.name, row.type, row.id], row)),
  ];
}
