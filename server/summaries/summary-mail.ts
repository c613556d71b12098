import { mailPage } from '@/server/notifications/messages/mail-page';
import { inWords } from '@/server/notifications/messages/message';
import { escapeHtml } from '@/server/notifications/providers/escape';
import { env } from '@/server/platform/env';
import type { Mail } from '@/server/platform/mail';
import { plainText } from '@/server/platform/plain-text';
import { DAY_MS } from '@/server/time/schema';
import type { MonitorWeek, WeekFigures } from './week-figures';

const MOST_MONITORS = 20;

/** A ratio in percent with at most three decimals, never rounded up to 100. */
function percent(ratio: number): string {
  return `${ratio >= 1 ? 100 : Math.min(99_999, Math.floor(ratio * 100_000 + 1e-6)) / 1000} %`;
}

/** A figure of both weeks, in lines of text. */
interface Row {
  label: string;
  now: string[];
  before: string[];
}

function totals({ now, before }: WeekFigures): Row[] {
  const time = (seconds: number | null) => [seconds === null ? 'none acknowledged' : inWords(seconds)];
  return [
    { label: 'Incidents', now: [String(now.incidents)], before: [String(before.incidents)] },
    { label: 'Outages', now: [String(now.outages)], before: [String(before.outages)] },
    {
      label: 'Median time to acknowledge',
      now: time(now.acknowledgeSeconds),
      before: time(before.acknowledgeSeconds),
    },
  ];
}

function monitorRow({ name, now, before }: MonitorWeek): Row {
  const words = ({ ratio, downSeconds }: MonitorWeek['now']) =>
    ratio === null ? ['no data'] : [percent(ratio), downSeconds === 0 ? 'never down' : `down ${inWords(downSeconds)}`];
  return { label: plainText(name, 200), now: words(now), before: words(before) };
}

function toText(rows: Row[]): string[] {
  return rows.map(({ label, now, before }) => `${label}: ${now.join(', ')} (week before: ${before.join(', ')})`);
}

function toTable(caption: string, rows: Row[]): string {
  const style = 'padding:4px 16px 4px 0;text-align:left;vertical-align:top';
  const label = (text: string) =>
    `<th scope="row" style="${style};font-weight:400;overflow-wrap:anywhere">${escapeHtml(text)}</th>`;
  const cell = (lines: string[]) =>
    `<td style="${style};white-space:nowrap">${lines.map((line) => escapeHtml(line)).join('<br>')}</td>`;
  const head = ['', 'Last week', 'Week before'].map((text) => `<th scope="col" style="${style}">${text}</th>`).join('');
  const body = rows.map((row) => `<tr>${label(row.label)}${cell(row.now)}${cell(row.before)}</tr>`);
  return `<h2 style="margin:24px 0 8px;font-size:16px;line-height:24px">${escapeHtml(caption)}</h2>
<table style="border-collapse:collapse"><thead><tr>${head}</tr></thead><tbody>
${body.join('\n')}
</tbody></table>`;
}

/** The seven days before a Monday: "16 – 22 November 2026". */
function daysInWords(week: string): string {
  const monday = new Date(`${week}T00:00:00Z`).getTime();
  const days = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', dateStyle: 'long' });
  // Replaces the thin spaces around the dash, which not every mail program shows.
  return days.formatRange(monday - 7 * DAY_MS, monday - DAY_MS).replace(/\s/g, ' ');
}

/** The mail about a team's week. `week` is the Monday after it. */
export function toSummaryMail(
  figures: WeekFigures,
  { week, timezone, unsubscribeUrl }: { week: string; timezone: string; unsubscribeUrl: string },
): Pick<Mail, 'subject' | 'text' | 'html'> {
  const { monitors } = figures;
  const teamName = plainText(figures.teamName, 100);
  const subject = `${teamName}: your week in Upwatch, ${daysInWords(week)}`;
  const heading = monitors.length > 0 ? 'Monitors, lowest uptime first' : 'No monitor has data for last week';
  const rows = monitors.slice(0, MOST_MONITORS).map(monitorRow);
  const others = monitors.length - rows.length;
  const rest = others > 0 ? [`and ${others} more with the same or a higher uptime`] : [];
  const note = `Days are those of ${timezone}. Maintenance and excluded time do not count. An incident counts in each week in which it was open.`;
  const text = [
    subject,
    '',
    ...toText(totals(figures)),
    '',
    heading,
    ...toText(rows),
    ...rest,
    '',
    note,
    '',
    env.appUrl,
    `Unsubscribe: ${unsubscribeUrl}`,
    '',
  ].join('\n');
  const content = `${toTable('Incidents', totals(figures))}
${toTable(heading, rows)}
${rest.map((each) => `<p style="margin:8px 0 0">${each}</p>`).join('')}
<p style="margin:24px 0 0">${escapeHtml(note)}</p>
<p style="margin:16px 0 0"><a href="${escapeHtml(env.appUrl)}">Open Upwatch</a> &nbsp; <a href="${escapeHtml(unsubscribeUrl)}">Unsubscribe</a></p>`;
  return { subject, text, html: mailPage(subject, content) };
}
