import Link from 'next/link';
import { formatLatency, formatLongDuration, formatPercent } from '@/app/_components/format';
import { Glyph } from '@/app/_components/status/glyph';
import type { Report, ReportRow } from '@/server/reports/schema';
import { budgetMark, budgetState, budgetWords, burnWords, coverageWords } from './report-words';

/** Each monitor of a report, the highest burn rate first. */
export function ReportTable({ report }: { report: Report }) {
  return (
    <table className="data-table">
      <caption className="sr-only">Monitors</caption>
      <thead>
        <tr>
          <th scope="col">Monitor</th>
          <th scope="col" className="r">
            Uptime
          </th>
          <th scope="col" className="r max-sm:hidden print:table-cell">
            Down
          </th>
          <th scope="col" className="r">
            Budget left
          </th>
          <th scope="col" className="r max-md:hidden print:table-cell">
            Burn rate
          </th>
          <th scope="col" className="r max-md:hidden print:table-cell">
            p50
          </th>
          <th scope="col" className="r max-sm:hidden print:table-cell">
            p95
          </th>
        </tr>
      </thead>
      <tbody>
        {report.monitors.map((row) => (
          <ReportLine key={row.id} row={row} coverage={coverageWords(row, report)} />
        ))}
      </tbody>
    </table>
  );
}

function ReportLine({ row, coverage }: { row: ReportRow; coverage: string | null }) {
  const state = budgetState(row);
  const { share, time } = budgetWords(row);
  return (
    <tr>
      <td className="whitespace-normal">
        <span className="flex min-w-0 items-center gap-2" data-state={state}>
          <Glyph state={state} />
          <span className="sr-only">{budgetMark[state as keyof typeof budgetMark]}: </span>
          <Link href={`/monitors/${row.id}`} className="min-w-0 font-medium [overflow-wrap:anywhere] hover:underline">
            {row.name}
          </Link>
        </span>
      </td>
      <td className="r num">
        {formatPercent(row.ratio)}
        {coverage && row.ratio !== null ? (
          <span className="block text-small whitespace-normal text-faint">{coverage}</span>
        ) : null}
      </td>
      <td className="r num max-sm:hidden print:table-cell">
        {row.ratio === null ? '–' : formatLongDuration(row.downSeconds)}
      </td>
      <td className="r num">
        {share}
        <span className="block text-small whitespace-normal text-faint">{time}</span>
      </td>
      <td className="r num max-md:hidden print:table-cell">{burnWords(row)}</td>
      <td className="r num max-md:hidden print:table-cell">{formatLatency(row.p50Ms)}</td>
      <td className="r num max-sm:hidden print:table-cell">{formatLatency(row.p95Ms)}</td>
    </tr>
  );
}
