import type { MonitorStatus } from '@/server/monitor-types/schema';
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

/** Returns the worst impact of the open incidents that name each component, by component ID. */
function impactsOf({ openIncidents }: PublicStatusPage): Map<string, 'down' | 'degraded'> {
  const impacts = new Map<string, 'down' | 'degraded'>();
  for (const { impact, componentIds } of openIncidents) {
    for (const id of componentIds) if (impacts.get(id) !== 'down') impacts.set(id, impact);
  }
  return impacts;
}

/** Returns the Statuspage status of a component. If its checks make it operational, the worst impact of open incidents that name it applies. */
function statusOf({ status }: Component, impact: 'down' | 'degraded' | undefined): string {
  const word = statuses[status];
  if (word !== 'operational' || impact === undefined) return word;
  return impact === 'down' ? 'partial_outage' : 'degraded_performance';
}

function toComponent(
  page: PublicStatusPage,
  component: Component,
  { index, status }: { index: number; status: string },
) {
  return {
    id: component.id,
    name: component.name,
    status,
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

type Shown = ReturnType<typeof toComponent>;

interface Made {
  all: Shown[];
  byId: Map<string, Shown>;
}

/** Caches the components of a page, because its incidents and maintenance windows refer to them repeatedly. */
const made = new WeakMap<PublicStatusPage, Made>();

function componentsOf(page: PublicStatusPage): Made {
  const known = made.get(page);
  if (known) return known;
  const impacts = impactsOf(page);
  const all = page.components.map((component, index) =>
    toComponent(page, component, { index, status: statusOf(component, impacts.get(component.id)) }),
  );
  const own = { all, byId: new Map(all.map((each) => [each.id, each])) };
  made.set(page, own);
  return own;
}

/** Returns the components of a page in its order; with `ids`, only these. */
export function toComponents(page: PublicStatusPage, ids?: string[]): Shown[] {
  const { all, byId } = componentsOf(page);
  if (!ids) return all;
  const named = [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
  return named.sort((a, b) => a.position - b.position);
}
