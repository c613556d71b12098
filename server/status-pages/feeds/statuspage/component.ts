import type { MonitorStatus } from '@/server/monitors/schema';
import type { Component, PublicStatusPage } from '@/server/status-pages/schema';

/**
 * A component's status in Statuspage's five words; strict clients reject others. Unknown maps to degraded, because an
 * unknown component makes the page's indicator "minor". Paused and pending components do not affect the indicator and
 * are reported as operational.
 */
const statuses: Record<MonitorStatus, string> = {
  up: 'operational',
  degraded: 'degraded_performance',
  down: 'major_outage',
  maintenance: 'under_maintenance',
  unknown: 'degraded_performance',
  paused: 'operational',
  pending: 'operational',
};

/** A component that passes its checks is not operational while an open incident names it: it has the impact of the worst. */
function statusOf({ openIncidents }: PublicStatusPage, { id, status }: Component): string {
  const word = statuses[status];
  const naming = openIncidents.filter(({ componentIds }) => componentIds.includes(id));
  if (word !== 'operational' || naming.length === 0) return word;
  return naming.some(({ impact }) => impact === 'down') ? 'partial_outage' : 'degraded_performance';
}

function toComponent(page: PublicStatusPage, component: Component, index: number) {
  return {
    id: component.id,
    name: component.name,
    status: statusOf(page, component),
    created_at: page.createdAt,
    updated_at: component.since,
    position: index + 1,
    description: component.description || null,
    showcase: true,
    start_date: null,
    group_id: null,
    page_id: page.id,
    group: false,
    only_show_if_degraded: false,
  };
}

/** The components of a page, optionally filtered by `ids`, in the page's order. */
export function toComponents(page: PublicStatusPage, ids?: string[]) {
  return page.components
    .map((component, index) => toComponent(page, component, index))
    .filter(({ id }) => !ids || ids.includes(id));
}
