import type { IncidentFilter } from '@/app/_components/incidents/incident-list';
import { oneOf } from '@/app/_components/one-of';
import type { IncidentSeverity, IncidentStatus, IncidentType, ListIncidentsInput } from '@/server/incidents/schema';
import { incidentOrders, incidentStatuses, incidentTypes } from '@/server/incidents/values';
import { severities } from '@/server/monitor-lists/values';

export type Order = ListIncidentsInput['order'];

/** The value of the assignee filter for incidents without one. */
export const NO_ASSIGNEE = 'none';

/** The list's filters and its order, stored in the URL. Null: no filter. */
export interface Filters {
  order: Order;
  status: IncidentStatus | null;
  search: string;
  severity: IncidentSeverity | null;
  type: IncidentType | null;
  /** A member's ID, or `none`. */
  assigneeId: string | null;
  parentIncidentId: string | null;
  tag: string;
  monitorId: string | null;
  componentId: string | null;
  /** Only incidents with a published postmortem. */
  hasPostmortem: boolean;
}

/** Reads the filters from search parameters; ignores invalid values. */
export function readFilters(get: (name: string) => string | null): Filters {
  const text = (name: string, most: number) => (get(name) ?? '').slice(0, most).trim();
  return {
    order: oneOf(incidentOrders, get('sort')) ?? 'status',
    status: oneOf(incidentStatuses, get('show')),
    search: text('q', 200),
    severity: oneOf(severities, get('severity')),
    type: oneOf(incidentTypes, get('type')),
    assigneeId: text('assignee', 64) || null,
    parentIncidentId: text('parent', 64) || null,
    tag: text('tag', 50).toLowerCase(),
    monitorId: text('monitor', 64) || null,
    componentId: text('component', 64) || null,
    hasPostmortem: get('postmortem') === 'published',
  };
}

/** The filters for the counts of the tabs, without the status. */
export function countInput(filters: Filters) {
  const { search, severity, type, assigneeId, parentIncidentId, tag, monitorId, componentId, hasPostmortem } = filters;
  return {
    ...(search && { q: search }),
    ...(severity && { severity }),
    ...(type && { type }),
    ...(assigneeId && { assigneeId }),
    ...(parentIncidentId && { parentIncidentId }),
    ...(tag && { tag }),
    ...(monitorId && { monitorId }),
    ...(componentId && { componentId }),
    ...(hasPostmortem && { postmortem: 'published' as const }),
  };
}

export function listFilter(filters: Filters): IncidentFilter {
  return { order: filters.order, ...(filters.status && { status: filters.status }), ...countInput(filters) };
}

/** The search parameters of the filters, without a question mark. */
export function filtersToQuery(filters: Filters): string {
  const {
    order,
    status,
    search,
    severity,
    type,
    assigneeId,
    parentIncidentId,
    tag,
    monitorId,
    componentId,
    hasPostmortem,
  } = filters;
  const given = {
    sort: order === 'status' ? null : order,
    show: status,
    q: search,
    severity,
    type,
    assignee: assigneeId,
    tag,
    parent: parentIncidentId,
    monitor: monitorId,
    component: componentId,
    postmortem: hasPostmortem && 'published',
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) if (value) query.set(name, value);
  return query.toString();
}
