/** A line has at most so many octets (RFC 5545 §3.1), and goes on in the next one after a space. */
const MOST_OCTETS = 75;

/** TEXT (RFC 5545 §3.3.11) without control characters. */
function escapeText(text: string): string {
  return text
    .replace(/[\\;,]/g, (character) => `\\${character}`)
    .replace(/\r\n|[\r\n\u2028\u2029]/g, '\\n')
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

/** An event of a calendar. Times are ISO 8601 in UTC. */
export interface CalendarEvent {
  id: string;
  startsAt: string;
  endsAt: string;
  createdAt: string;
  updatedAt: string;
  title: string;
  description?: string;
  url: string;
  /** Calendars show it as cancelled. */
  isCancelled?: boolean;
}

/** The ID of one occurrence of what takes place more than once. Whole minutes are left short: two overrides can start in one minute. */
export const occurrenceId = (id: string, startsAt: string) =>
  `${id}-${startsAt.replace(/:00\.000Z$/, '').replace(/[-:.Z]/g, '')}`;

/** The number of a revision (RFC 5545 §3.8.7.4): the seconds from the creation to the last change, which only grow. */
function sequenceOf({ createdAt, updatedAt }: CalendarEvent): number {
  return Math.max(0, Math.floor((Date.parse(updatedAt) - Date.parse(createdAt)) / 1000));
}

function linesOf(event: CalendarEvent): string[] {
  const [start, end] = [utc(event.startsAt), utc(event.endsAt)];
  return [
    'BEGIN:VEVENT',
    `UID:${event.id}@upwatch`,
    `DTSTAMP:${utc(event.updatedAt)}`,
    `LAST-MODIFIED:${utc(event.updatedAt)}`,
    `CREATED:${utc(event.createdAt)}`,
    `SEQUENCE:${sequenceOf(event)}`,
    `DTSTART:${start}`,
    // Must be later than the start (RFC 5545 §3.8.2.2); without it, an event ends as it starts.
    ...(end > start ? [`DTEND:${end}`] : []),
    `SUMMARY:${escapeText(event.title)}`,
    ...(event.description === undefined ? [] : [`DESCRIPTION:${escapeText(event.description)}`]),
    `URL:${event.url}`,
    ...(event.isCancelled ? ['STATUS:CANCELLED'] : []),
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

/** Events as an iCalendar stream (RFC 5545). `kind` names the product's part that writes it. */
export function toCalendar({ kind, name }: { kind: string; name: string }, events: CalendarEvent[]): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//Upwatch//${kind}//EN`,
    'CALSCALE:GREGORIAN',
    `X-WR-CALNAME:${escapeText(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    ...events.flatMap(linesOf),
    'END:VCALENDAR',
  ];
  return `${lines.map(fold).join('\r\n')}\r\n`;
}
