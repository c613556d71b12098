import type { IncidentSummary } from '@/server/incidents/summarise-incidents';
import { inWords } from '@/server/notifications/messages/message';
import { env } from '@/server/platform/env';
import type { MailContent, Table } from '@/server/platform/mail/compose';
import { plainText } from '@/server/platform/plain-text';
import { MOST_REPORTED, type Report, type ReportRow } from '@/server/reports/schema';
import { monthInWords } from './month';
import { percent } from './summary-mail';

/** The number of monitors in a mail. */
export const MOST_MONITORS = 20;

export interface MonthFigures {
  teamName: string;
  report: Report;
  summary: IncidentSummary;
  /** The number of incidents of each shown monitor; those without any are missing. */
  incidents: ReadonlyMap<string, number>;
}

const isMissed = ({ leftSeconds }: Pick<ReportRow, 'leftSeconds'>) => leftSeconds !== null && leftSeconds < 0;

const downWords = (seconds: number) => (seconds === 0 ? 'none' : inWords(seconds));

function budgetWords({ leftSeconds }: Report['overall']): string {
  if (leftSeconds === null) return 'no data';
  return leftSeconds < 0 ? `exceeded by ${inWords(-leftSeconds)}` : `${inWords(leftSeconds)} left`;
}

const uptimeWords = (row: Pick<ReportRow, 'ratio' | 'leftSeconds'>) =>
  row.ratio === null ? 'no data' : `${percent(row.ratio)}${isMissed(row) ? ', objective missed' : ''}`;

function monitorRow(row: ReportRow, incidents: MonthFigures['incidents']): Table['rows'][number] {
  const count = incidents.get(row.id) ?? 0;
  const down = row.ratio === null ? 'no data' : downWords(row.downSeconds);
  const words = count === 0 ? '' : `, ${count} ${count === 1 ? 'incident' : 'incidents'}`;
  return { label: plainText(row.name, 200), values: [uptimeWords(row), `${down}${words}`] };
}

/** Returns the notes on what the table leaves out. */
function notesOf({ monitors, isComplete }: Report): string[] {
  const others = monitors.length - Math.min(monitors.length, MOST_MONITORS);
  return [
    ...(others > 0 ? [`${others} more ${others === 1 ? 'monitor is' : 'monitors are'} not shown.`] : []),
    ...(isComplete ? [] : [`The report covers the ${MOST_REPORTED} oldest monitors.`]),
  ];
}

/** Returns the mail about a team's month. `month` is the first day of the month after it. */
export function toReportMail(
  { teamName: name, report, summary, incidents }: MonthFigures,
  { month, unsubscribeUrl }: { month: string; unsubscribeUrl: string },
): MailContent {
  const { overall, objective, monitors } = report;
  const teamName = plainText(name, 100);
  const missed = monitors.filter(isMissed).length;
  const words = monthInWords(month);
  const rows = monitors.slice(0, MOST_MONITORS).map((row) => monitorRow(row, incidents));
  const measured = monitors.filter(({ ratio }) => ratio !== null).length;
  return {
    subject: `${teamName}: uptime report for ${words}`,
    teamName,
    title: `Uptime report for ${words}`,
    facts: [
      { label: 'Uptime', value: overall.ratio === null ? 'no data' : percent(overall.ratio) },
      { label: 'Objective', value: `${objective} %, met by ${measured - missed} of ${measured} monitors` },
      { label: 'Error budget', value: budgetWords(overall) },
      { label: 'Downtime', value: overall.ratio === null ? 'no data' : downWords(overall.downSeconds) },
      {
        label: 'Incidents',
        value: `${summary.incidents} (${summary.outages} ${summary.outages === 1 ? 'outage' : 'outages'})`,
      },
    ],
    tables: [
      {
        caption: rows.length > 0 ? 'Monitors, worst first' : 'The team has no monitors',
        columns: ['Uptime', 'Downtime'],
        rows,
      },
    ],
    notes: notesOf(report),
    button: { label: 'Open reports', url: `${env.appUrl}/reports?period=last-month` },
    footer: [
      'Days are in UTC. Maintenance and excluded time do not count. The figures above the table combine these monitors.',
      'An incident counts in each month in which it was open.',
      'You get this on the first of each month because you switched on the monthly report.',
      { label: 'Unsubscribe', url: unsubscribeUrl },
    ],
  };
}
