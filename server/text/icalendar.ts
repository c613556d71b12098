import type { Period } from '@/server/time/edges';

/** The maximum number of events, because many calendar programs reject larger calendars. */
const MOST_EVENTS = 2_000;
const MOST_BYTES = 1024 * 1024;
/**
 * The limits of a text in bytes: too large calendars are written again with shorter texts, from the first limit down to the second. The rest of an
 * event takes about 350 bytes.
 */
const [LONGEST_TEXT, SHORTEST_TEXT] = [16_384, 32];

/** The maximum number of octets of a line (RFC 5545 §3.1), which continues on the next line after a space. */
const MOST_OCTETS = 75;

/** Escapes a TEXT value (RFC 5545 §3.3.11) and removes control characters. */
function escapeText(text: string): string {
  return text
    .replace(/[\\;,]/g, (character) => `\\${character}`)
    .replace(/\r\n|[\r\n\u2028\u2029]/g, '\\n')
    .replace(/\p{Cc}/gu, '');
}

/** Folds a line without splitting a character. Computes the size of each character from its code, because a calendar has a million of them. */
function fold(line: string): string {
  const lines: string[] = [];
  let [from, octets] = [0, 0];
  for (let at = 0; at < line.length; ) {
    const code = line.codePointAt(at) ?? 0;
    const size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (octets + size > MOST_OCTETS) {
      lines.push(line.slice(from, at));
      [from, octets] = [at, 1];
    }
    octets += size;
    at += size === 4 ? 2 : 1;
  }
  return [...lines, line.slice(from)].join('\r\n ');
}

/** Formats a DATE-TIME in UTC (RFC 5545 §3.3.5). */
const utc = (at: string) => `${at.slice(0, 19).replace(/[-:]/g, '')}Z`;

/** An event of a calendar. Times are ISO 8601 in UTC. */
export interface CalendarEvent {
  id: string;
  startsAt: string;
  endsAt: string;
  createdAt: string;
  updatedAt: string;
  /** The revision number (RFC 5545 §3.8.7.4), which increases with every change. */
  sequence: number;
  title: string;
  description?: string;
  url: string;
  /** Whether calendars show it as cancelled. */
  isCancelled?: boolean;
}

/**
 * Returns the ID of one occurrence of a recurring event. Contains the seconds unless they are zero, because two overrides can start in the same
 * minute.
 */
export const occurrenceId = (id: string, startsAt: string) =>
  `${id}-${startsAt.replace(/:00\.000Z$/, '').replace(/[-:.Z]/g, '')}`;

/** Shortens a text to at most `most` bytes without splitting a character. */
function shorten(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  return `${text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(most)).read)}…`;
}

/** Writes texts as folded lines. Caches each text, because the occurrences of a window repeat it. */
function textWriter(name: string, most: number): (text: string) => string {
  const written = new Map<string, string>();
  return (text) => {
    const line = written.get(text) ?? fold(`${name}:${escapeText(shorten(text, most))}`);
    written.set(text, line);
    return line;
  };
}

interface Writers {
  summary: (text: string) => string;
  description: (text: string) => string;
}

function linesOf(event: CalendarEvent, write: Writers): string[] {
  const [start, end] = [utc(event.startsAt), utc(event.endsAt)];
  return [
    'BEGIN:VEVENT',
    fold(`UID:${event.id}@upwatch`),
    `DTSTAMP:${utc(event.updatedAt)}`,
    `LAST-MODIFIED:${utc(event.updatedAt)}`,
    `CREATED:${utc(event.createdAt)}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTART:${start}`,
    // DTEND must be later than the start (RFC 5545 §3.8.2.2). An event without it ends when it starts.
    ...(end > start ? [`DTEND:${end}`] : []),
    write.summary(event.title),
    ...(event.description === undefined ? [] : [write.description(event.description)]),
    fold(`URL:${event.url}`),
    ...(event.isCancelled ? ['STATUS:CANCELLED'] : []),
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

/** Selects the events of a calendar, in order: drops the earliest past ones first, then the latest future ones. */
export function mostRelevant<Each extends Period>(events: Each[], now: Date): Each[] {
  const sorted = events.sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime());
  const isOver = ({ endsAt }: Each) => endsAt <= now;
  const coming = sorted.filter((event) => !isOver(event)).slice(0, MOST_EVENTS);
  const spare = coming.length - MOST_EVENTS;
  const past = spare < 0 ? sorted.filter(isOver).slice(spare) : [];
  return [...past, ...coming];
}

/**
 * Writes events as an iCalendar stream (RFC 5545) of at most 1 MiB; shortens the longest texts until it fits. `kind` is the part of the product in
 * PRODID.
 * @param events at most those of `mostRelevant`
 */
export function toCalendar({ kind, name }: { kind: string; name: string }, events: CalendarEvent[]): string {
  const sizes = events
    .flatMap(({ title, description = '' }) => [title, description])
    .map((text) => Buffer.byteLength(text));
  for (let most = LONGEST_TEXT; ; most /= 2) {
    const size = sizes.reduce((sum, each) => sum + Math.min(each, most), 0);
    if (most > SHORTEST_TEXT && size > MOST_BYTES) continue;
    const write = { summary: textWriter('SUMMARY', most), description: textWriter('DESCRIPTION', most) };
    const lines = [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      `PRODID:-//Upwatch//${kind}//EN`,
      'CALSCALE:GREGORIAN',
      textWriter('X-WR-CALNAME', most)(name),
      'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
      ...events.flatMap((event) => linesOf(event, write)),
      'END:VCALENDAR',
    ];
    const text = `${lines.join('\r\n')}\r\n`;
    if (most <= SHORTEST_TEXT || Buffer.byteLength(text) <= MOST_BYTES) return text;
  }
}
