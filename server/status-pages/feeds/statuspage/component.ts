import type { MonitorStatus } from '@/server/monitors/schema';
import type { Component, PublicStatusPage } from '@/server/status-pages/schema';

/**
 * A component's status in Statuspage's five words. It has none for what is not known, and a strict client refuses any other.
 * An unknown component makes the page's indicator "minor", so it says the same. Paused and pending ones have no say in the
 * indicator; they stand as Statuspage's own components do until somebody reports trouble.
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

function toComponent(page: PublicStatusPage, component: Component, index: number) {
  return {
    id: component.id,
    name: component.name,
    status: statuses[component.status],
    created_at: page.createdAt,
    updated_at: component.since,
    position: index + 1,
    description: null,
    showcase: true,
    start_date: null,
    group_id: null,
    page_id: page.id,
    group: false,
    only_show_if_degraded: false,
  };
}

/** The components of a page, or those of them that `ids` names, in the page's order. */
export function toComponents(page: PublicStatusPage, ids?: string[]) {
  return page.components
    .map((component, index) => toComponent(page, component, index))
    .filter(({ id }) => !ids || ids.includes(id));
}
