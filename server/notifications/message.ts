import { env } from '@/server/platform/env';
import type { EventData, EventPayload } from './event';
import { linksOf } from './links';
import type { EventType } from './schema';

/** How grave a message is; providers that know colours choose one by it. */
export type Tone = 'down' | 'degraded' | 'acknowledged' | 'up' | 'neutral';

/** One message, ready to be put into a provider's form. Its texts are plain: escaping is the provider's. */
export interface Message {
  /** The delivery's id: the same on every attempt, so that a receiver recognises a repetition. */
  id: string;
  payload: EventPayload;
  tone: Tone;
  /** One line: what is. */
  headline: string;
  /** Sentences: since when, why, what follows. */
  details: string[];
  /** Where to read on. */
  url: string;
}

type Text = Pick<Message, 'tone' | 'headline' | 'details'>;
type Incident = NonNullable<EventData['incident']>;

/** "2026-11-20 03:07:12 UTC" */
function atUtc(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

/** A length of time in its two largest units: "45 s", "14 min", "2 h 5 min", "3 d 4 h". */
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

/** A text of someone else's as a sentence of its own. */
function asSentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

const openedTexts: Record<string, { says: string; tone: Tone }> = {
  downtime: { says: 'is down', tone: 'down' },
  degraded: { says: 'is degraded', tone: 'degraded' },
  certificate: { says: 'has a certificate that needs attention', tone: 'degraded' },
};

const resolvedTexts: Record<string, string> = {
  downtime: 'is up again',
  degraded: 'is fast enough again',
  certificate: 'has a good certificate again',
};

/** What a headline speaks of; a headline is one line, so that no name can make a second. */
function subjectOf({ monitor }: EventData, incident: Incident): string {
  return (monitor?.name ?? incident.title ?? 'An incident').replace(/\s+/g, ' ').trim();
}

function opened(data: EventData, incident: Incident): Text {
  const known = data.monitor ? openedTexts[incident.type] : undefined;
  const { says, tone } = known ?? { says: 'has an open incident', tone: 'down' };
  const subject = subjectOf(data, incident);
  return {
    tone,
    headline: known || data.monitor ? `${subject} ${says}` : `Incident: ${subject}`,
    details: [
      ...(data.monitor && incident.title ? [asSentence(incident.title)] : []),
      `Since ${atUtc(incident.startedAt)}.`,
      ...(incident.cause ? [asSentence(incident.cause)] : []),
    ],
  };
}

function acknowledged(data: EventData, incident: Incident): Text {
  return {
    tone: 'acknowledged',
    headline: `${subjectOf(data, incident)}: someone is on it`,
    details: [
      `The incident is acknowledged. It began at ${atUtc(incident.startedAt)}.`,
      ...(incident.cause ? [asSentence(incident.cause)] : []),
    ],
  };
}

function resolved(data: EventData, incident: Incident): Text {
  const end = incident.resolvedAt ?? null;
  const seconds = end ? (Date.parse(end) - Date.parse(incident.startedAt)) / 1000 : null;
  // The downtime that a degraded incident ends in is told beside it.
  const wentDown = incident.type === 'degraded' && data.monitor?.status === 'down';
  const known = resolvedTexts[incident.type] ?? 'has no open incident any more';
  const says = wentDown ? 'is no longer only degraded: it is down' : data.monitor ? known : 'is resolved';
  return {
    tone: wentDown ? 'down' : 'up',
    headline: `${subjectOf(data, incident)} ${says}`,
    details: [
      end && seconds !== null
        ? `It took ${inWords(seconds)}, from ${atUtc(incident.startedAt)} to ${atUtc(end)}.`
        : `It began at ${atUtc(incident.startedAt)}.`,
      ...(incident.cause ? [`The cause was: ${asSentence(incident.cause)}`] : []),
    ],
  };
}

function test(): Text {
  return {
    tone: 'neutral',
    headline: 'Test message from Upwatch',
    details: ['This channel works. Alerts of your monitors arrive here.'],
  };
}

const texts = {
  'incident.opened': opened,
  'incident.acknowledged': acknowledged,
  'incident.resolved': resolved,
  'monitor.certificate_expiring': opened,
} satisfies Record<Exclude<EventType, 'channel.test'>, (data: EventData, incident: Incident) => Text>;

/** Puts an event into words. */
export function toMessage(deliveryId: string, payload: EventPayload): Message {
  const { type, data } = payload;
  const url = linksOf(data).incident ?? `${env.appUrl}/channels`;
  if (type === 'channel.test') return { id: deliveryId, payload, url, ...test() };
  if (!data.incident) throw new Error(`An event of type ${type} has no incident.`);
  return { id: deliveryId, payload, url, ...texts[type](data, data.incident) };
}
