import type { Component, PublicIncident, PublicStatusPage } from '@/server/status-pages/schema';

/** A name that breaks any output that does not escape it. */
export const EVIL = `<script>alert(1)</script>&"' ]]>`;

export function component(changes: Partial<Component> = {}): Component {
  return {
    id: 'c'.repeat(32),
    name: 'Checkout',
    description: '',
    status: 'up',
    since: '2026-11-01T00:00:00.000Z',
    uptime: 1,
    days: Array<null>(90).fill(null),
    notableDays: [],
    ...changes,
  };
}

export function incident(changes: Partial<PublicIncident> = {}): PublicIncident {
  return {
    id: 'd'.repeat(32),
    title: 'Checkout is down',
    status: 'open',
    impact: 'down',
    startedAt: '2026-11-17T03:07:12.000Z',
    resolvedAt: null,
    component: 'Checkout',
    componentIds: ['c'.repeat(32)],
    updates: [
      { id: 'e'.repeat(32), kind: 'note', message: 'Rolling it back.', at: '2026-11-17T03:16:20.000Z' },
      { id: 'f'.repeat(32), kind: 'opened', message: 'We are aware of a problem.', at: '2026-11-17T03:07:12.000Z' },
    ],
    ...changes,
  };
}

export function page(changes: Partial<PublicStatusPage> = {}): PublicStatusPage {
  return {
    id: 'a'.repeat(32),
    slug: 'northwind',
    title: 'Northwind Cloud',
    description: '',
    url: 'https://up.example/status/northwind',
    logoUrl: null,
    createdAt: '2026-10-01T00:00:00.000Z',
    updatedAt: '2026-11-10T00:00:00.000Z',
    overall: 'operational',
    headline: 'All systems operational',
    checkedAt: '2026-11-17T03:21:40.000Z',
    components: [component()],
    openIncidents: [],
    pastIncidents: [],
    maintenances: [],
    pastMaintenances: [],
    today: '2026-11-17',
    version: 'v',
    ...changes,
  };
}
