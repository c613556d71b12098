import type { OperationDoc } from '../types';
import { maintenanceWindow, page } from './examples';

const { title, description, startsAt, endsAt, monitorIds } = maintenanceWindow;
const later = { endsAt: '2027-01-02T06:00:00.000Z' };

export const maintenanceDocs: Record<string, OperationDoc> = {
  'maintenance.list': {
    id: 'listMaintenanceWindows',
    description: 'Returns maintenance windows, newest first.',
    answer: { maintenanceWindows: [maintenanceWindow], ...page },
  },
  'maintenance.get': { id: 'getMaintenanceWindow', description: '', answer: { maintenanceWindow } },
  'maintenance.create': {
    id: 'createMaintenanceWindow',
    description:
      'Creates a maintenance window of at most one year. If `monitorIds` is omitted or null, it covers all monitors of the team.',
    body: { title, description, startsAt, endsAt, monitorIds },
    answer: { maintenanceWindow },
  },
  'maintenance.update': {
    id: 'updateMaintenanceWindow',
    description: 'Updates the given fields; at least one is required.',
    body: later,
    answer: { maintenanceWindow: { ...maintenanceWindow, ...later } },
  },
  'maintenance.delete': { id: 'deleteMaintenanceWindow', description: '', answer: { ok: true } },
};
