import type { PublicMaintenance, PublicStatusPage } from '../schema';

/** A line has at most so many octets (RFC 5545 §3.1), and goes on in the next one after a space. */
const MOST_OCTETS = 75;

/** TEXT (RFC 5545 §3.3.11) without control characters. */
function escapeText(text: string): string {
  return text
    .replace(/[\\;,]/g, (character) => `\\${character}`)
    .replace(/\r\n|\r|\n/g, '\\n')
    .replace(/\p{Cc}/gu, '');
}

/** Splits a line between characters, not between the octets of one. */
function fold(line: string): string {
  const lines = [''];
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > MOST_OCTETS) {
      lines.push(' ');
      octets = 1;
    }
    lines[lines.length - 1] += character;
    octets += size;
  }
  return lines.join('\r\n');
}

/** DATE-TIME in UTC (RFC 5545 §3.3.5). */
const utc = (at: string) => `${at.slice(0, 19).replace(/[-:]/g, '')}Z`;

function eventOf(page: PublicStatusPage, window: PublicMaintenance): string[] {
  const names = page.components.filter(({ id }) => window.componentIds.includes(id)).map(({ name }) => name);
  return [
    'BEGIN:VEVENT',
    `UID:${window.id}@upwatch`,
    `DTSTAMP:${utc(window.updatedAt)}`,
    `LAST-MODIFIED:${utc(window.updatedAt)}`,
    `CREATED:${utc(window.createdAt)}`,
    `DTSTART:${utc(window.startsAt)}`,
    `DTEND:${utc(window.endsAt)}`,
    `SUMMARY:${escapeText(window.title)}`,
    `DESCRIPTION:${escapeText(`Affects ${names.join(', ')}.`)}`,
    `URL:${page.url}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

/** The page's maintenance windows as an iCalendar stream (RFC 5545), one event for each occurrence. */
export function calendar(page: PublicStatusPage): string {
  const windows = [...page.pastMaintenances.toReversed(), ...page.maintenances];
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Upwatch//Maintenance//EN',
    'CALSCALE:GREGORIAN',
    `X-WR-CALNAME:${escapeText(`${page.title}: maintenance`)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    ...windows.flatMap((window) => eventOf(page, window)),
    'END:VCALENDAR',
  ];
  return `${lines.map(fold).join('\r\n')}\r\n`;
}
