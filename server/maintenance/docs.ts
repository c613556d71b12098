import { at, monitorId, page, teamId } from '@/server/trpc/examples';
import type { OperationDoc } from '@/server/trpc/operation-doc';

const maintenanceWindow = {
  id: '01KANZ5A2B4C6D8E0F2G4H6J8K',
  teamId,
  title: 'New router',
  description: 'The office is offline for a few minutes.',
  startsAt: '2027-01-02T03:00:00.000Z',
  endsAt: '2027-01-02T05:00:00.000Z',
  monitorIds: [monitorId],
  createdAt: at,
  updatedAt: at,
};

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
