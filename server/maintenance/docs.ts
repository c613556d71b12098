import { at, monitorId, page, teamId } from '@/server/trpc/examples';
import type { OperationDoc } from '@/server/trpc/operation-doc';

const maintenanceWindow = {
  id: '01KANZ5A2B4C6D8E0F2G4H6J8K',
  teamId,
  title: 'New router',
  description: 'The office is offline for a few minutes.',
  startsAt: '2027-01-02T03:00:00.000Z',
  endsAt: '2027-01-02T05:00:00.000Z',
  recurrence: null,
  timezone: 'UTC',
  monitorIds: [monitorId],
  tags: [],
  checks: 'continue',
  isAnnounced: true,
  announceHours: 72,
  notifiesChannels: false,
  externalId: null,
  next: { startsAt: '2027-01-02T03:00:00.000Z', endsAt: '2027-01-02T05:00:00.000Z' },
  skipped: [],
  createdAt: at,
  updatedAt: at,
};

const { title, description, startsAt, endsAt, monitorIds } = maintenanceWindow;
const later = { endsAt: '2027-01-02T06:00:00.000Z' };
const ended = { endsAt: '2027-01-02T04:10:00.000Z' };
const extended = { endsAt: '2027-01-02T05:30:00.000Z' };
const next = { ...maintenanceWindow.next, ...later };
const weekly = { ...maintenanceWindow, recurrence: 'FREQ=WEEKLY', timezone: 'Europe/Berlin' };
const weekLater = { startsAt: '2027-01-09T03:00:00.000Z', endsAt: '2027-01-09T05:00:00.000Z' };

export const maintenanceDocs: Record<string, OperationDoc> = {
  'maintenance.list': {
    id: 'listMaintenanceWindows',
    description:
      'Returns maintenance windows, newest first. With `state=current`, only those that are running or take place again; with `state=past`, only those that do not.',
    answer: { maintenanceWindows: [maintenanceWindow], ...page },
  },
  'maintenance.occurrences': {
    id: 'listMaintenanceOccurrences',
    description:
      'Returns when the maintenance windows of the team take place between `from` (now) and `to` (31 days later), at most 92 days, soonest first: one entry for each occurrence.',
    answer: {
      occurrences: [
        { maintenanceWindowId: maintenanceWindow.id, title: maintenanceWindow.title, ...maintenanceWindow.next },
      ],
    },
  },
  'maintenance.preview': {
    id: 'previewMaintenance',
    description:
      'Returns the first five coming occurrences of a window with these times, without creating it. With the `id` of a window, those that are skipped are left out, and changed ends count.',
    params: { startsAt, endsAt },
    answer: { occurrences: [maintenanceWindow.next] },
  },
  'maintenance.get': { id: 'getMaintenanceWindow', description: '', answer: { maintenanceWindow } },
  'maintenance.create': {
    id: 'createMaintenanceWindow',
    description:
      'Creates a maintenance window of at most one year. It covers the monitors in `monitorIds` and those that have one of `tags`, now or later; if both are omitted, it covers all monitors of the team. With `recurrence`, an RRULE (RFC 5545) such as `FREQ=WEEKLY;BYDAY=SU`, it repeats at the same time of day in `timezone`, and lasts at most 31 days. While it runs, the status of its monitors is `maintenance`, no incident opens, and open incidents neither change nor notify. With `checks` set to `pause`, its monitors are not checked. With `notifiesChannels`, the channels of its monitors are notified `announceHours` before the start, at the start and at the end.',
    body: { title, description, startsAt, endsAt, monitorIds },
    answer: { maintenanceWindow },
  },
  'maintenance.start': {
    id: 'startMaintenance',
    description:
      'Creates a maintenance window that starts now and ends after `minutes` (60), for example before a deployment. Status pages do not announce it. `POST …/{id}/end` ends it early.',
    body: { title: 'Deployment', minutes: 15, monitorIds: [monitorId] },
    answer: {
      maintenanceWindow: { ...maintenanceWindow, title: 'Deployment', isAnnounced: false, announceHours: null },
    },
  },
  'maintenance.end': {
    id: 'endMaintenance',
    description:
      'Ends a maintenance window that is running. Of one that repeats, only the present occurrence ends; the next one takes place as planned.',
    answer: { maintenanceWindow: { ...maintenanceWindow, ...ended, next: null } },
  },
  'maintenance.extend': {
    id: 'extendMaintenance',
    description:
      'Lets a maintenance window that is running end later. Of one that repeats, only the present occurrence.',
    body: { minutes: 30 },
    answer: { maintenanceWindow: { ...maintenanceWindow, ...extended, next: { ...next, ...extended } } },
  },
  'maintenance.skip': {
    id: 'skipMaintenanceOccurrence',
    description:
      'Has the occurrence that starts at `startsAt` not take place: its monitors are checked and alert as usual, and it is announced no more. Others and the rule stay. An occurrence that has started cannot be skipped, only ended.',
    body: { startsAt },
    answer: { maintenanceWindow: { ...weekly, next: weekLater, skipped: [maintenanceWindow.next] } },
  },
  'maintenance.unskip': {
    id: 'unskipMaintenanceOccurrence',
    description: 'Lets a skipped occurrence take place after all, until the time at which it would start.',
    body: { startsAt },
    answer: { maintenanceWindow: weekly },
  },
  'maintenance.update': {
    id: 'updateMaintenanceWindow',
    description:
      'Updates the given fields; at least one is required. The times of a window without recurrence apply to the past as well; a window that repeats changes from now on. A skipped occurrence stays skipped if it still starts at that time.',
    body: later,
    answer: { maintenanceWindow: { ...maintenanceWindow, ...later, next } },
  },
  'maintenance.delete': {
    id: 'deleteMaintenanceWindow',
    description: 'Deletes a maintenance window. If it is running, it ends now; past maintenance stays in the history.',
    answer: { ok: true },
  },
};
