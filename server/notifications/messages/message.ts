import type { EventData, EventPayload } from './event';

/** The severity of a message; providers map it to a color. */
export type Tone = 'down' | 'degraded' | 'acknowledged' | 'up' | 'neutral';

/** The content of a message in parts, for a kind with its own layout (email). */
export interface Report {
  /** "Down", "Resolved": what a subject begins with. */
  state: string;
  /** The subject after the state: "Checkout: 503, expected 200–299". */
  subject: string;
  /** The cause, in one line. */
  reason: string | null;
  /** Values with times depend on the reader's time zone (an IANA name). */
  facts: { label: string; value: string | ((timeZone: string) => string) }[];
  /** Sentences below the facts. */
  notes: string[];
}

/** A message independent of the provider. Its texts are plain; each provider escapes them. */
export interface Message {
  /** The delivery's ID, the same on every attempt, so that receivers can deduplicate. */
  id: string;
  payload: EventPayload;
  tone: Tone;
  /** The status in one line. */
  headline: string;
  /** Sentences such as start time, cause and duration. */
  details: string[];
  /** Missing for kinds that show only headline and details, and if a template replaces these. */
  report?: Report;
  /** The incidents of a message about several, oldest first. */
  incidentIds?: string[];
  /** The page in the dashboard. */
  url: string;
  /** The page that acknowledges; only in messages about open incidents to people. */
  acknowledgeUrl?: string;
  /** The value of a button that acknowledges the same incidents. */
  button?: string;
  /** The texts with the token of the link masked, if a template repeats the link. */
  shown?: Pick<Message, 'headline' | 'details'>;
  /** Marks the second message of a test to a service that pages people: it resolves the alert that the first one opened. */
  endsTest?: true;
}

/** Returns a duration in its two largest units: "45 s", "14 min", "2 h 5 min", "3 d 4 h". */
export function inWords(seconds: number): string {
  const units: [string, number][] = [
    ['d', 86_400],
    ['h', 3_600],
    ['min', 60],
    ['s', 1],
  ];
  const first = units.findIndex(([, size]) => seconds >= size);
  if (first < 0) return 'less than 1 s';
  let rest = Math.floor(seconds);
  const parts = units.slice(first, first + (first < 2 ? 2 : 1)).map(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return { unit, count };
  });
  return parts
    .filter(({ count }) => count > 0)
    .map(({ unit, count }) => `${count} ${unit}`)
    .join(' ');
}

/** Returns the names of the status page components that an incident affects, each once. */
export function componentNames({ components = [] }: NonNullable<EventData['incident']>): string[] {
  return [...new Set(components.map(({ name }) => name))];
}
