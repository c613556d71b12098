import { inWords } from '@/server/notifications/messages/message';
import { env } from '@/server/platform/env';
import type { MailContent, Table } from '@/server/platform/mail/compose';
import { plainText } from '@/server/platform/plain-text';
import { DAY_MS } from '@/server/time/schema';
import type { MonitorWeek, WeekFigures } from './week-figures';

/** Formats a ratio in percent with at most three decimals, never rounded up to 100. */
export function percent(ratio: number): string {
  return `${ratio >= 1 ? 100 : Math.min(99_999, Math.floor(ratio * 100_000 + 1e-6)) / 1000} %`;
}

type Row = Table['rows'][number];

function totals({ now, before }: WeekFigures): Row[] {
  const time = (seconds: number | null) => (seconds === null ? 'none acknowledged' : inWords(seconds));
  return [
    { label: 'Incidents', values: [String(now.incidents), String(before.incidents)] },
    { label: 'Outages', values: [String(now.outages), String(before.outages)] },
    { label: 'Median time to acknowledge', values: [time(now.acknowledgeSeconds), time(before.acknowledgeSeconds)] },
  ];
}

function monitorRow({ name, now, before }: MonitorWeek): Row {
  const words = ({ ratio, downSeconds }: MonitorWeek['now']) =>
    ratio === null
      ? 'no data'
      : `${percent(ratio)}, ${downSeconds === 0 ? 'never down' : `down ${inWords(downSeconds)}`}`;
  return { label: plainText(name, 200), values: [words(now), words(before)] };
}

/** Names the seven days before a Monday: "16 – 22 November 2026". */
function daysInWords(week: string): string {
  const monday = new Date(`${week}T00:00:00Z`).getTime();
  const days = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', dateStyle: 'long' });
  // Replaces the thin spaces around the dash, which not every mail program shows.
  return days.formatRange(monday - 7 * DAY_MS, monday - DAY_MS).replace(/\s/g, ' ');
}

/** Returns the mail about a team's week. `week` is the Monday after it. */
export function toSummaryMail(
  figures: WeekFigures,
  { week, timezone, unsubscribeUrl }: { week: string; timezone: string; unsubscribeUrl: string },
): MailContent {
  const { monitors, others } = figures;
  const teamName = plainText(figures.teamName, 100);
  const rows = monitors.map(monitorRow);
  const columns = ['Last week', 'Week before'];
  return {
    subject: `${teamName}: your week in Upwatch, ${daysInWords(week)}`,
    teamName,
    title: `Your week, ${daysInWords(week)}`,
    tables: [
      { caption: 'Incidents', columns, rows: totals(figures) },
      {
        caption: rows.length > 0 ? 'Monitors, lowest uptime first' : 'No monitor has data for last week',
        columns,
        rows,
      },
    ],
    notes: others > 0 ? [`and ${others} more with the same or a higher uptime`] : [],
    button: { label: 'Open Upwatch', url: env.appUrl },
    footer: [
      `Days are those of ${timezone}. Maintenance and excluded time do not count. An incident counts in each week in which it was open.`,
      'You get this on Mondays at 08:00 because you switched on the weekly summary.',
      { label: 'Unsubscribe', url: unsubscribeUrl },
    ],
  };
}
