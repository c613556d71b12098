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
