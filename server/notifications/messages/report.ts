import { z } from 'zod';
import { definitionOf, MonitorType, shortReason } from '@/server/monitor-types/schema';
import { momentText, rangeText } from '@/server/time/moment-text';
import { shorten } from '../providers/shorten';
import { affectedLine, affectedMonitors, subjectOf } from './affected';
import type { EventData, EventPayload, MaintenanceData, Resolution } from './event';
import { inWords, type Report } from './message';

/** The maximum characters of a value, because a cause may quote what the target answered. */
const MOST_CHARACTERS = 1_000;
/** The characters of a cause in a subject. */
const CAUSE = 120;

type Incident = NonNullable<EventData['incident']>;
type Fact = Report['facts'][number];

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
const value = (text: string) => shorten(oneLine(text), MOST_CHARACTERS);
const moment = (label: string, iso: string): Fact => ({ label, value: (zone) => momentText(new Date(iso), zone) });

const states: Record<string, { open: string; still: string }> = {
  downtime: { open: 'Down', still: 'Still down' },
  degraded: { open: 'Degraded', still: 'Still degraded' },
  certificate: { open: 'Certificate', still: 'Certificate' },
};
const other = { open: 'Incident', still: 'Still open' };

const stateOf = ({ monitor }: EventData, { type }: Incident) => (monitor ? states[type] : undefined) ?? other;

const MonitorFacts = z.object({
  type: MonitorType.optional().catch(undefined),
  regions: z.array(z.string()).catch([]),
});

function monitorFacts({ monitor }: EventData): Fact[] {
  if (!monitor) return [];
  const { type, regions } = MonitorFacts.parse(monitor);
  const kind = type === undefined ? '' : ` (${definitionOf(type).form.label})`;
  return [
    { label: 'Monitor', value: `${value(monitor.name)}${kind}` },
    ...(regions.length > 0
      ? [{ label: regions.length === 1 ? 'Region' : 'Regions', value: value(regions.join(', ')) }]
      : []),
  ];
}

function incidentFacts(data: EventData, incident: Incident): Fact[] {
  const { severity, title } = incident;
  const affected = affectedLine(data);
  return [
    moment('Since', incident.startedAt),
    ...(data.monitor && title && value(title) !== value(data.monitor.name)
      ? [{ label: 'Incident', value: value(title) }]
      : []),
    ...monitorFacts(data),
    ...(affected === null ? [] : [{ label: 'Affects', value: value(affected) }]),
    ...(severity === undefined
      ? []
      : [{ label: 'Severity', value: severity.charAt(0).toUpperCase() + severity.slice(1) }]),
  ];
}

/** Returns "Checkout: 503, expected 200–299". */
function subjectWithCause(data: EventData, { cause }: Incident): string {
  const subject = subjectOf(data);
  return cause ? `${subject}: ${shorten(oneLine(shortReason(cause)), CAUSE)}` : subject;
}

const reasonOf = ({ cause }: Incident) => (cause ? value(cause) : null);

const over: Record<string, string> = {
  downtime: 'up again',
  degraded: 'no longer degraded',
  certificate: 'valid again',
};

const ends: Record<Exclude<Resolution, 'recovered'>, string> = {
  manual: 'resolved',
  paused: 'paused, so its incident was closed',
  deleted: 'deleted, so its incident was closed',
  superseded: 'replaced by another incident',
};

function resolvedReport(data: EventData, incident: Incident): Report {
  const { resolution = 'recovered', actor, monitor } = data;
  const { startedAt, resolvedAt } = incident;
  const lasted = resolvedAt ? inWords((Date.parse(resolvedAt) - Date.parse(startedAt)) / 1000) : null;
  const end = resolution === 'recovered' ? ((monitor && over[incident.type]) ?? 'resolved') : ends[resolution];
  const after = lasted === null ? '' : ` after ${lasted}`;
  const isFailing = resolution === 'manual' && (monitor?.status === 'down' || monitor?.status === 'degraded');
  return {
    state: 'Resolved',
    subject: `${subjectOf(data)}: ${end}${resolution === 'recovered' || resolution === 'manual' ? after : ''}`,
    reason: null,
    facts: [
      ...(resolvedAt
        ? [
            {
              label: 'Lasted',
              value: (zone: string) => `${lasted}, ${rangeText(new Date(startedAt), new Date(resolvedAt), zone)}`,
            },
          ]
        : [moment('Since', startedAt)]),
      ...(resolution === 'manual' ? [{ label: 'Resolved by', value: value(actor ?? 'Someone') }] : []),
      ...(incident.cause ? [{ label: 'Cause', value: value(incident.cause) }] : []),
      ...incidentFacts(data, incident).slice(1),
    ],
    notes: isFailing ? [`The monitor is still ${monitor?.status}.`] : [],
  };
}

function incidentReport({ type, data }: EventPayload, incident: Incident): Report | null {
  const state = stateOf(data, incident);
  const open: Report = {
    state: state.open,
    subject: subjectWithCause(data, incident),
    reason: reasonOf(incident),
    facts: incidentFacts(data, incident),
    notes: [],
  };
  switch (type) {
    case 'incident.opened':
    case 'monitor.certificate_expiring':
      return open;
    case 'incident.reminder':
      return { ...open, state: state.still, notes: ['Nobody has acknowledged this incident.'] };
    case 'incident.escalated': {
      if (!data.escalation) return null;
      const { policy, step, steps, round, person } = data.escalation;
      const times = round > 1 ? `, round ${round}` : '';
      const escalation = { label: 'Escalation', value: `${value(policy)}, step ${step} of ${steps}${times}` };
      const isFirst = step === 1 && round === 1;
      return {
        ...open,
        state: person === null ? 'Escalation' : 'On call',
        subject: `${state.open}: ${open.subject}`,
        facts: [...open.facts, escalation],
        notes: isFirst ? [] : ['Nobody has acknowledged it yet.'],
      };
    }
    case 'incident.reopened':
      return {
        ...open,
        state: 'Reopened',
        facts: [...open.facts, { label: 'Reopened by', value: value(data.actor ?? 'Someone') }],
      };
    case 'incident.acknowledged': {
      const actor = value(data.actor ?? 'Someone');
      const facts = [...open.facts, { label: 'Acknowledged by', value: actor }];
      return {
        ...open,
        state: 'Acknowledged',
        subject: `${subjectOf(data)}: ${shorten(actor, CAUSE)} is working on it`,
        facts,
      };
    }
    case 'incident.resolved':
      return resolvedReport(data, incident);
    default:
      return null;
  }
}

const maintenanceStates: Partial<Record<EventPayload['type'], { word: string; isOver: boolean }>> = {
  'maintenance.upcoming': { word: 'Planned', isOver: false },
  'maintenance.started': { word: 'Started', isOver: false },
  'maintenance.ended': { word: 'Ended', isOver: true },
  'maintenance.cancelled': { word: 'Cancelled', isOver: true },
};

function maintenanceReport({ type }: EventPayload, window: MaintenanceData): Report | null {
  const state = maintenanceStates[type];
  if (!state) return null;
  const { startsAt, endsAt } = window;
  const affects = affectedMonitors(window);
  return {
    state: 'Maintenance',
    subject: `${state.word}: ${value(window.title)}`,
    reason: null,
    facts: [
      { label: 'Time', value: (zone) => rangeText(new Date(startsAt), new Date(endsAt), zone) },
      ...(affects === null ? [] : [{ label: 'Affects', value: value(affects) }]),
    ],
    notes: state.isOver ? [] : ['Monitors are shown as in maintenance, and nobody is alerted.'],
  };
}

function channelReport({ type, data }: EventPayload): Report | null {
  const since = data.failingSince ? [moment('Since', data.failingSince)] : [];
  const name = value(data.channel?.name ?? 'A channel');
  switch (type) {
    case 'channel.failing':
      return {
        state: 'Action needed',
        subject: `The channel ${name} is failing`,
        reason: data.error ? value(data.error) : null,
        facts: since,
        notes: ['Its alerts are sent here until it works again.'],
      };
    case 'channel.recovered':
      return {
        state: 'Resolved',
        subject: `The channel ${name} delivers again`,
        reason: null,
        facts: since.map((fact) => ({ ...fact, label: 'Failed since' })),
        notes: ['Its alerts are no longer sent here.'],
      };
    default:
      return null;
  }
}

/** Returns the content of an event's message in parts; null for a test, which has none. */
export function reportOf(payload: EventPayload): Report | null {
  const { incident, maintenance } = payload.data;
  if (incident) return incidentReport(payload, incident);
  return maintenance ? maintenanceReport(payload, maintenance) : channelReport(payload);
}
