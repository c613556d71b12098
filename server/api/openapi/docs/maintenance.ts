import type { OperationDoc } from '../types';
import { maintenanceWindow, page } from './examples';

const { title, description, startsAt, endsAt, monitorIds } = maintenanceWindow;
const later = { endsAt: '2027-01-02T06:00:00.000Z' };

export const maintenanceDocs: Record<string, OperationDoc> = {
  'maintenance.list': {
    id: 'listMaintenanceWindows',
    description: 'Newest first.',
    answer: { maintenanceWindows: [maintenanceWindow], ...page },
  },
  'maintenance.get': { id: 'getMaintenanceWindow', description: '', answer: { maintenanceWindow } },
  'maintenance.create': {
    id: 'createMaintenanceWindow',
    description:
      'It ends after it starts and lasts a year at most. Without `monitorIds`, or with null, it covers every monitor of the team.',
    body: { title, description, startsAt, endsAt, monitorIds },
    answer: { maintenanceWindow },
  },
  'maintenance.update': {
    id: 'updateMaintenanceWindow',
    description: 'Changes what is given, at least one field.',
    body: later,
    answer: { maintenanceWindow: { ...maintenanceWindow, ...later } },
  },
  'maintenance.delete': { id: 'deleteMaintenanceWindow', description: '', answer: { ok: true } },
};
