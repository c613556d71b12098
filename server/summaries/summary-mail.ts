import { inWords } from '@/server/notifications/message';
import { escapeHtml } from '@/server/notifications/providers/escape';
import { env } from '@/server/platform/env';
import type { Mail } from '@/server/platform/mail';
import { plainText } from '@/server/platform/plain-text';
import type { MonitorWeek, WeekFigures } from './week-figures';

const MOST_MONITORS = 20;

/** A ratio in percent with at most three decimals, never rounded up to 100. */
function percent(ratio: number): string {
  return `${ratio >= 1 ? 100 : Math.min(99_999, Math.floor(ratio * 100_000 + 1e-6)) / 1000} %`;
}

interface Row {
  label: string;
  now: string;
  before: string;
}

function totals({ now, before }: WeekFigures): Row[] {
  const time = (seconds: number | null) => (seconds === null ? 'none acknowledged' : inWords(seconds));
  return [
    { label: 'Incidents', now: String(now.incidents), before: String(before.incidents) },
    { label: 'Outages', now: String(now.outages), before: String(before.outages) },
    {
      label: 'Median time to acknowledge',
      now: time(now.acknowledgeSeconds),
      before: time(before.acknowledgeSeconds),
    },
  ];
}

function monitorRow({ name, now, before }: MonitorWeek): Row {
  const words = ({ ratio, downSeconds }: MonitorWeek['now']) =>
    ratio === null
      ? 'no data'
      : `${percent(ratio)}, ${downSeconds === 0 ? 'never down' : `down ${inWords(downSeconds)}`}`;
  return { label: plainText(name, 200), now: words(now), before: words(before) };
}

function toText(rows: Row[]): string[] {
  return rows.map(({ label, now, before }) => `${label}: ${now} (week before: ${before})`);
}

function toTable(caption: string, rows: Row[]): string {
  const cell = (tag: 'td' | 'th', text: string) =>
    `<${tag} style="padding:4px 16px 4px 0;text-align:left;vertical-align:top">${escapeHtml(text)}</${tag}>`;
  const head = ['', 'This week', 'Week before'].map((text) => cell('th', text)).join('');
  const body = rows.map(
    ({ label, now, before }) => `<tr>${[label, now, before].map((text) => cell('td', text)).join('')}</tr>`,
  );
  return `<h2 style="margin:24px 0 8px;font-size:16px;line-height:24px">${escapeHtml(caption)}</h2>
<table style="border-collapse:collapse"><thead><tr>${head}</tr></thead><tbody>
${body.join('\n')}
</tbody></table>`;
}

/** The days of a week from "2026-03-23" on, in words: "23 March – 29 March 2026". */
function daysInWords(week: string): string {
  const monday = new Date(`${week}T00:00:00Z`).getTime();
  const day = (daysBefore: number, options: Intl.DateTimeFormatOptions) =>
    new Date(monday - daysBefore * 86_400_000).toLocaleDateString('en-GB', { timeZone: 'UTC', ...options });
  const short = { day: 'numeric', month: 'long' } as const;
  return `${day(7, short)} – ${day(1, { ...short, year: 'numeric' })}`;
}

/** The mail of a team's week. `week` is the Monday after it. */
export function toSummaryMail(
  figures: WeekFigures,
  { week, timezone, unsubscribeUrl }: { week: string; timezone: string; unsubscribeUrl: string },
): Pick<Mail, 'subject' | 'text' | 'html'> {
  const { monitors } = figures;
  const teamName = plainText(figures.teamName, 100);
  const subject = `${teamName}: your week in Upwatch, ${daysInWords(week)}`;
  const heading = monitors.length > 0 ? 'Monitors, lowest uptime first' : 'No monitor has data of this week';
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
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:24px;font:14px/22px system-ui,sans-serif;max-width:640px">
<h1 style="margin:0;font-size:20px;line-height:28px;font-weight:600">${escapeHtml(subject)}</h1>
${toTable('Incidents', totals(figures))}
${toTable(heading, rows)}
${rest.map((each) => `<p style="margin:8px 0 0">${each}</p>`).join('')}
<p style="margin:24px 0 0">${escapeHtml(note)}</p>
<p style="margin:16px 0 0"><a href="${escapeHtml(env.appUrl)}">Open Upwatch</a> &nbsp; <a href="${escapeHtml(unsubscribeUrl)}">Unsubscribe</a></p>
</body></html>`;
  return { subject, text, html };
}
