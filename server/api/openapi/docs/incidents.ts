import type { OperationDoc } from '../types';
import { incident, monitorId, page, update } from './examples';

const at = '2026-11-20T03:21:40.000Z';
const words = { title: 'Shop unreachable', cause: 'The certificate had expired.' };

export const incidentDocs: Record<string, OperationDoc> = {
  'incidents.page': {
    id: 'listIncidents',
    description: 'Latest first. `status=unresolved` is open and acknowledged ones.',
    answer: { incidents: [incident], ...page },
  },
  'incidents.create': {
    id: 'createIncident',
    description:
      'Opens one by hand and tells the channels: those of its monitor, or all of the team. Only a person or a script ends it.',
    body: { title: 'Orders are late', cause: 'The queue is full.', monitorId },
    answer: { incident: { ...incident, type: 'manual', title: 'Orders are late', cause: 'The queue is full.' } },
  },
  'incidents.get': { id: 'getIncident', description: '', answer: { incident } },
  'incidents.detail': {
    id: 'getIncidentDetail',
    description:
      'With its monitor, the latest 200 lines of its story, oldest first, and who was told and how that went.',
    answer: {
      incident,
      monitor: { name: 'Shop', type: 'http', status: 'down', lastError: 'Connection refused' },
      updates: [update],
      messages: [
        {
          id: '01KANZ7C4D6E8F0G2H4J6K8M0N',
          event: 'incident.opened',
          status: 'delivered',
          channelName: 'On-call',
          channelType: 'webhook',
          attempts: 1,
          lastAttemptAt: at,
          lastError: null,
          nextAttemptAt: null,
        },
      ],
    },
  },
  'incidents.update': {
    id: 'updateIncident',
    description: 'Changes the title, the cause, or both. One that is resolved does not change any more.',
    body: words,
    answer: { incident: { ...incident, ...words } },
  },
  'incidents.acknowledge': {
    id: 'acknowledgeIncident',
    description: 'Says that somebody is on it. Doing so twice changes nothing; one that is resolved is refused.',
    answer: { incident: { ...incident, status: 'acknowledged' } },
  },
  'incidents.resolve': {
    id: 'resolveIncident',
    description: 'Ends it by hand. Where the monitor is still down, its next confirmed failure opens a new one.',
    answer: { incident: { ...incident, status: 'resolved', resolvedAt: at } },
  },
  'incidents.updates': {
    id: 'listIncidentUpdates',
    description: 'Its story, latest first.',
    answer: { updates: [update], ...page },
  },
  'incidents.addUpdate': {
    id: 'addIncidentUpdate',
    description:
      "Adds a line to its story. With `isPublic` it stands on the status pages that show the incident too; without, it is the team's own. One that is resolved takes no more.",
    body: { message: update.message, isPublic: true },
    answer: { update },
  },
};
