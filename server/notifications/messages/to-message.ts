import { env } from '@/server/platform/env';
import { acknowledgingOf } from '../acknowledgments/acknowledge-link';
import type { ChannelType } from '../providers/definitions';
import type { ChannelTemplates, EventType } from '../schema';
import { applyTemplate } from '../templates/apply-template';
import { affectedLine, affectedMonitors, subjectOf } from './affected';
import type { EventData, EventPayload, MaintenanceData, Resolution } from './event';
import { linksOf } from './links';
import { inWords, type Message, type Tone } from './message';
import { reportOf } from './report';

type Text = Pick<Message, 'tone' | 'headline' | 'details'>;
type MaintenanceEvent = Extract<EventType, `maintenance.${string}`>;
type Incident = NonNullable<EventData['incident']>;

/** Formats a time: "2026-11-20 03:07:12 UTC". */
function atUtc(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

/** Adds a full stop unless the text ends with one. */
function asSentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

const isMaintenance = (type: EventType): type is MaintenanceEvent => type.startsWith('maintenance.');

type Headline = (subject: string) => string;

const openedTexts: Record<string, Headline> = {
  downtime: (subject) => `${subject} is down`,
  degraded: (subject) => `${subject} is degraded`,
  certificate: (subject) => `The certificate of ${subject} needs renewal`,
};

const resolvedTexts: Record<string, Headline> = {
  downtime: (subject) => `${subject} is up again`,
  degraded: (subject) => `${subject} is no longer degraded`,
  certificate: (subject) => `The certificate of ${subject} is valid again`,
};

const endedTexts: Partial<Record<Resolution, Headline>> = {
  paused: (subject) => `${subject} was paused`,
  deleted: (subject) => `${subject} was deleted`,
};

const isMild = ({ type }: Incident) => type === 'degraded' || type === 'certificate';

/** Returns the tone of an open incident, which providers show as a color or a priority. Deliveries of earlier versions contain no severity. */
function toneOf(incident: Incident): Tone {
  const { severity = isMild(incident) ? 'warning' : 'critical' } = incident;
  return severity === 'critical' ? 'down' : 'degraded';
}

/** Returns a line with the severity, unless the headline implies it. */
function severityLine(incident: Incident): string[] {
  const { severity } = incident;
  const isSaid = severity === undefined || (severity === 'critical') !== isMild(incident);
  return isSaid ? [] : [`Severity: ${severity}.`];
}

/** Returns the line "Affects Checkout API, Orders and 3 more monitors."; nothing if there is none. */
function affected(data: EventData): string[] {
  const names = affectedLine(data);
  return names === null ? [] : [`Affects ${names}.`];
}

function opened(data: EventData, incident: Incident): Text {
  const known = data.monitor ? openedTexts[incident.type] : undefined;
  const subject = subjectOf(data);
  const other = data.monitor ? `${subject} has an open incident` : `Incident: ${subject}`;
  const headline = known?.(subject) ?? other;
  return {
    tone: toneOf(incident),
    headline,
    details: [
      ...(data.monitor && incident.title && incident.title !== headline ? [asSentence(incident.title)] : []),
      ...affected(data),
      `Started at ${atUtc(incident.startedAt)}.`,
      ...severityLine(incident),
      ...(incident.cause ? [asSentence(incident.cause)] : []),
    ],
  };
}

function reminder(data: EventData, incident: Incident): Text {
  const { tone, headline, details } = opened(data, incident);
  return { tone, headline: `Reminder: ${headline}`, details: ['Nobody has acknowledged this incident.', ...details] };
}

/** Returns the texts of an escalated incident: a call to the person on call, or a message to a channel of the team. */
function escalated(data: EventData, incident: Incident): Text {
  const { tone, headline, details } = opened(data, incident);
  if (!data.escalation) throw new Error('An escalated incident names no step.');
  const { policy, step, steps, round, person } = data.escalation;
  const times = round > 1 ? `, round ${round}` : '';
  const isFirst = step === 1 && round === 1;
  const line = `${policy}, step ${step} of ${steps}${times}.${isFirst ? '' : ' Nobody has acknowledged it yet.'}`;
  return {
    tone,
    headline: person === null ? `Escalation: ${headline}` : `You are on call: ${headline}`,
    details: [line, ...details],
  };
}

function reopened(data: EventData, incident: Incident): Text {
  return {
    tone: toneOf(incident),
    headline: `${subjectOf(data)}: incident reopened`,
    details: [
      `${data.actor ?? 'Someone'} reopened the incident. Started at ${atUtc(incident.startedAt)}.`,
      ...affected(data),
      ...severityLine(incident),
      ...(incident.cause ? [asSentence(incident.cause)] : []),
    ],
  };
}

function acknowledged(data: EventData, incident: Incident): Text {
  return {
    tone: 'acknowledged',
    headline: `${subjectOf(data)}: incident acknowledged`,
    details: [
      `${data.actor ?? 'Someone'} is working on it. Started at ${atUtc(incident.startedAt)}.`,
      ...affected(data),
      ...(incident.cause ? [asSentence(incident.cause)] : []),
    ],
  };
}

/** Whether the incident ended because the monitor recovered. Deliveries of earlier versions do not contain the reason. */
const recovered = ({ resolution = 'recovered' }: EventData) => resolution === 'recovered';

/** Returns the line that says why an incident ended; empty if the monitor recovered, because the headline says that. */
function endOf({ resolution, actor, monitor }: EventData): string[] {
  switch (resolution) {
    case 'manual': {
      const isFailing = monitor?.status === 'down' || monitor?.status === 'degraded';
      return [
        `${actor ?? 'Someone'} resolved the incident.`,
        ...(isFailing ? [`The monitor is still ${monitor.status}.`] : []),
      ];
    }
    case 'paused':
      return ['It is not checked until somebody resumes it, and its incident was closed.'];
    case 'deleted':
      return ['Its incident was closed.'];
    case 'superseded':
      return ['Another incident replaced it.'];
    case 'recovered':
    case undefined:
      return [];
    default:
      return resolution satisfies never;
  }
}

function resolved(data: EventData, incident: Incident): Text {
  const end = incident.resolvedAt ?? null;
  const seconds = end ? (Date.parse(end) - Date.parse(incident.startedAt)) / 1000 : null;
  const isOver = data.monitor && recovered(data);
  const subject = subjectOf(data);
  const ended = endedTexts[data.resolution ?? 'recovered'] ?? ((name: string) => `${name}: incident resolved`);
  const other = data.monitor ? ended(subject) : `${subject} is resolved`;
  return {
    tone: isOver || !data.monitor ? 'up' : 'neutral',
    headline: (isOver && resolvedTexts[incident.type]?.(subject)) || other,
    details: [
      ...endOf(data),
      ...affected(data),
      end && seconds !== null
        ? `Lasted ${inWords(seconds)}, from ${atUtc(incident.startedAt)} to ${atUtc(end)}.`
        : `Started at ${atUtc(incident.startedAt)}.`,
      ...(incident.cause ? [`Cause: ${asSentence(incident.cause)}`] : []),
    ],
  };
}

const maintenanceTexts: Record<MaintenanceEvent, { headline: Headline; isOver: boolean; times?: string }> = {
  'maintenance.upcoming': { headline: (title) => `Planned maintenance: ${title}`, isOver: false },
  'maintenance.started': { headline: (title) => `Maintenance started: ${title}`, isOver: false },
  'maintenance.ended': { headline: (title) => `Maintenance ended: ${title}`, isOver: true },
  'maintenance.cancelled': {
    headline: (title) => `Maintenance cancelled: ${title}`,
    isOver: true,
    times: 'It was planned from',
  },
};

function maintenance(type: MaintenanceEvent, window: MaintenanceData): Text {
  const { headline, isOver, times = 'From' } = maintenanceTexts[type];
  const affects = affectedMonitors(window);
  const quiet = 'Monitors are shown as in maintenance, and nobody is alerted.';
  return {
    tone: 'neutral',
    headline: headline(window.title.replace(/\s+/g, ' ').trim()),
    details: [
      `${times} ${atUtc(window.startsAt)} to ${atUtc(window.endsAt)}.`,
      ...(affects === null ? [] : [`Affects ${affects}.`]),
      ...(isOver ? [] : [quiet]),
    ],
  };
}

function test(): Text {
  return {
    tone: 'neutral',
    headline: 'Test message from Upwatch',
    details: ['This channel is working. Alerts from your monitors will arrive here.'],
  };
}

const channelOf = ({ channel }: EventData) => (channel?.name ?? 'A channel').replace(/\s+/g, ' ').trim();

function channelFailing(data: EventData): Text {
  return {
    tone: 'degraded',
    headline: `The channel ${channelOf(data)} is failing`,
    details: [
      ...(data.failingSince ? [`Its messages have not been delivered since ${atUtc(data.failingSince)}.`] : []),
      ...(data.error ? [`Last error: ${asSentence(data.error)}`] : []),
      'Its alerts are sent here until it works again.',
    ],
  };
}

function channelRecovered(data: EventData): Text {
  return {
    tone: 'up',
    headline: `The channel ${channelOf(data)} delivers again`,
    details: [
      ...(data.failingSince ? [`Its messages failed since ${atUtc(data.failingSince)}.`] : []),
      'Its alerts are no longer sent here.',
    ],
  };
}

/** The messages about a channel itself. */
const channelTexts = {
  'channel.test': test,
  'channel.failing': channelFailing,
  'channel.recovered': channelRecovered,
} satisfies Partial<Record<EventType, (data: EventData) => Text>>;

const texts = {
  'incident.opened': opened,
  'incident.acknowledged': acknowledged,
  'incident.resolved': resolved,
  'incident.reminder': reminder,
  'incident.escalated': escalated,
  'incident.reopened': reopened,
  'monitor.certificate_expiring': opened,
} satisfies Record<
  Exclude<EventType, keyof typeof channelTexts | MaintenanceEvent>,
  (data: EventData, incident: Incident) => Text
>;

function isAboutChannel(type: EventType): type is keyof typeof channelTexts {
  return Object.hasOwn(channelTexts, type);
}

/**
 * Builds the message of an event for a channel, with the channel's template applied.
 * @param opening how often its incident had been reopened when the event happened
 */
export function toMessage(
  deliveryId: string,
  payload: EventPayload,
  channel: { id: string; type: ChannelType; templates?: ChannelTemplates },
  opening = 0,
): Message {
  const { type, data } = payload;
  const links = linksOf(data);
  const page = data.channel ? `/channels/${data.channel.id}` : '/channels';
  const url = links.incident ?? links.maintenance ?? `${env.appUrl}${page}`;
  const report = channel.type === 'email' ? reportOf(payload) : null;
  const about = { id: deliveryId, payload, url, ...(report && { report }) };
  if (isAboutChannel(type)) return { ...about, ...channelTexts[type](data) };
  const templates = channel.templates ?? [];
  if (isMaintenance(type)) {
    if (!data.maintenance) throw new Error(`An event of type ${type} has no maintenance window.`);
    return applyTemplate({ ...about, ...maintenance(type, data.maintenance) }, templates);
  }
  if (!data.incident) throw new Error(`An event of type ${type} has no incident.`);
  const { id: incidentId, status } = data.incident;
  const acknowledging = status === 'open' ? acknowledgingOf({ incidentId, opening }, channel) : {};
  return applyTemplate({ ...about, ...acknowledging, ...texts[type](data, data.incident) }, templates);
}
