import { describe, expect, it } from 'vitest';
import { documents } from '@/server/status-pages/feeds/statuspage/documents';
import type { PublicStatusPage } from '@/server/status-pages/schema';
import { component, incident, page } from './pages';

const now = new Date('2026-11-17T03:30:00.000Z');

/** A document as parsed by a client. */
// biome-ignore lint/suspicious/noExplicitAny: documents of every shape, and the assertions are the check.
function read(path: string, changes: Partial<PublicStatusPage> = {}): any {
  return JSON.parse(JSON.stringify(documents[path]?.(page(changes), now)));
}

const past = incident({
  id: '1'.repeat(32),
  status: 'resolved',
  startedAt: '2026-11-01T10:00:00.000Z',
  resolvedAt: '2026-11-01T11:00:00.000Z',
  updates: [],
});
const window = (day: string, id = day.repeat(16)) => ({
  id,
  title: `Work on ${day}`,
  startsAt: `2026-11-${day}T03:00:00.000Z`,
  endsAt: `2026-11-${day}T04:00:00.000Z`,
  createdAt: '2026-11-01T00:00:00.000Z',
  updatedAt: '2026-11-02T00:00:00.000Z',
  sequence: 0,
  componentIds: [component().id],
});
const maintenances = [window('17'), window('18'), window('19')];
const pastMaintenances = [window('16')];

describe('Statuspage-compatible documents', () => {
  it('names all components of the latest windows and incidents, and only one of the others, on the largest page', () => {
    const components = Array.from({ length: 500 }, (_, index) => component({ id: String(index).padStart(32, '0') }));
    const componentIds = components.map(({ id }) => id);
    const windows = Array.from({ length: 50 }, (_, index) => ({
      ...window('17', String(index).padStart(32, '1')),
      componentIds,
    }));
    const incidents = Array.from({ length: 50 }, (_, index) => {
      return incident({ id: String(index).padStart(32, '2'), componentIds });
    });
    const document = read('summary.json', { components, maintenances: windows, openIncidents: incidents });
    const counts = (entries: { components: unknown[] }[]) => entries.map((entry) => entry.components.length);
    expect(counts(document.scheduled_maintenances)).toEqual([...Array(5).fill(500), ...Array(45).fill(1)]);
    expect(counts(document.incidents).slice(0, 8)).toEqual([...Array(6).fill(500), 333, 1]);
    expect(JSON.stringify(document).length).toBeLessThan(6_000_000);
  });

  it('shows all components of an open incident as not operational', () => {
    const ids = ['1', '2', '3', '4'].map((digit) => digit.repeat(32));
    const components = ids.map((id, index) => component({ id, status: index === 0 ? 'down' : 'up' }));
    const statusesOf = (changes: Partial<PublicStatusPage>) =>
      read('components.json', { components, ...changes }).components.map(({ status }: { status: string }) => status);
    const open = incident({ impact: 'down', componentIds: ids.slice(0, 3) });
    const statuses = ['major_outage', 'partial_outage', 'partial_outage', 'operational'];
    expect(statusesOf({ openIncidents: [open] })).toEqual(statuses);
    const minor = incident({ impact: 'degraded', componentIds: ids });
    expect(statusesOf({ openIncidents: [minor] }).slice(1)).toEqual(Array(3).fill('degraded_performance'));
    expect(statusesOf({ pastIncidents: [{ ...open, status: 'resolved' }] }).slice(1)).toEqual(
      Array(3).fill('operational'),
    );
  });

  it.each([
    ['summary.json', ['page', 'components', 'incidents', 'scheduled_maintenances', 'status']],
    ['status.json', ['page', 'status']],
    ['components.json', ['page', 'components']],
    ['incidents.json', ['page', 'incidents']],
    ['incidents/unresolved.json', ['page', 'incidents']],
    ['scheduled-maintenances.json', ['page', 'scheduled_maintenances']],
    ['scheduled-maintenances/upcoming.json', ['page', 'scheduled_maintenances']],
    ['scheduled-maintenances/active.json', ['page', 'scheduled_maintenances']],
  ])('lists for %s the parts %j', (path, parts) => {
    const document = read(path);
    expect(Object.keys(document)).toEqual(parts);
    expect(document.page).toEqual({
      id: 'a'.repeat(32),
      name: 'Northwind Cloud',
      url: 'https://up.example/status/northwind',
      time_zone: 'Etc/UTC',
      updated_at: '2026-11-10T00:00:00.000Z',
    });
  });

  it('lists all components in order', () => {
    const { components } = read('components.json', { components: [component({ status: 'down' }), component()] });
    expect(components).toMatchObject([
      { name: 'Checkout', status: 'major_outage', position: 1, group: false, page_id: 'a'.repeat(32) },
      { name: 'Checkout', status: 'operational', position: 2 },
    ]);
  });

  it("maps every component to one of Statuspage's five statuses", () => {
    const all = ['up', 'degraded', 'down', 'maintenance', 'unknown', 'paused', 'pending'] as const;
    const { components } = read('components.json', { components: all.map((status) => component({ status })) });
    expect(components.map(({ status }: { status: string }) => status)).toEqual([
      'operational',
      'degraded_performance',
      'major_outage',
      'under_maintenance',
      'degraded_performance',
      'operational',
      'operational',
    ]);
  });

  it('lists the latest incidents first, and unresolved ones separately', () => {
    const changes = { components: [component({ status: 'down' })], openIncidents: [incident()], pastIncidents: [past] };
    const { incidents } = read('incidents.json', changes);
    expect(incidents.map(({ status }: { status: string }) => status)).toEqual(['investigating', 'resolved']);
    const unresolved = read('incidents/unresolved.json', changes).incidents;
    expect(unresolved).toEqual(incidents.slice(0, 1));
    expect(read('summary.json', changes).incidents).toEqual(unresolved);
    expect(unresolved[0]).toMatchObject({
      name: 'Checkout is down',
      impact: 'major',
      resolved_at: null,
      components: [{ id: component().id, status: 'major_outage' }],
      incident_updates: [
        { body: 'Rolling it back.', status: 'investigating', affected_components: [{ old_status: 'major_outage' }] },
        { affected_components: [{ code: component().id, old_status: 'operational', new_status: 'major_outage' }] },
      ],
    });
  });

  it('lists at most fifty incidents', () => {
    const pastIncidents = Array.from({ length: 60 }, () => past);
    expect(read('incidents.json', { pastIncidents }).incidents).toHaveLength(50);
  });

  it.each([
    ['scheduled-maintenances.json', ['19', '18', '17', '16']],
    ['scheduled-maintenances/upcoming.json', ['19', '18']],
    ['scheduled-maintenances/active.json', ['17']],
    ['summary.json', ['19', '18', '17']],
  ])('lists for %s the maintenance windows of the days %j', (path, days) => {
    const { scheduled_maintenances: found } = read(path, { maintenances, pastMaintenances });
    expect(found.map(({ name }: { name: string }) => name)).toEqual(days.map((day) => `Work on ${day}`));
  });

  it('maps the progress of a maintenance window', () => {
    const { scheduled_maintenances: found } = read('scheduled-maintenances.json', { maintenances, pastMaintenances });
    const steps = ({ incident_updates }: { incident_updates: { status: string }[] }) =>
      incident_updates.map(({ status }) => status);
    expect(found.map(steps)).toEqual([
      ['scheduled'],
      ['scheduled'],
      ['in_progress', 'scheduled'],
      ['completed', 'in_progress', 'scheduled'],
    ]);
    expect(found.at(-1)).toMatchObject({
      status: 'completed',
      resolved_at: '2026-11-16T04:00:00.000Z',
      scheduled_for: '2026-11-16T03:00:00.000Z',
      scheduled_until: '2026-11-16T04:00:00.000Z',
      components: [{ name: 'Checkout' }],
    });
    expect(found.at(0)).toMatchObject({ status: 'scheduled', resolved_at: null });
  });

  it.each([
    ['operational', ['up'], 'none', 'All Systems Operational'],
    ['maintenance', ['maintenance', 'up'], 'maintenance', 'Service Under Maintenance'],
    ['degraded', ['degraded', 'up'], 'minor', 'Partially Degraded Service'],
    ['down', ['down', 'up'], 'major', 'Partial System Outage'],
    ['down', ['down', 'down'], 'critical', 'Major Service Outage'],
    ['unknown', ['unknown'], 'minor', 'Status Unknown'],
  ] as const)('maps %s (%j) to %s: %s', (overall, statuses, indicator, description) => {
    const components = statuses.map((status) => component({ status }));
    expect(read('status.json', { overall, components }).status).toEqual({ indicator, description });
  });
});
