import { oneOf } from '@/app/_components/one-of';
import type { MonitorStatus, MonitorType, OverviewGroup, OverviewSort } from '@/server/monitor-lists/schema';
import { monitorStatuses, monitorTypes, overviewGroups, overviewSorts } from '@/server/monitor-lists/values';
import type { OverviewInput, OverviewOrderInput } from '@/server/monitor-types/schema';

/** The columns that can be hidden. */
export const columns = ['tags', 'strip', 'p95', 'uptime', 'checked'] as const;
export type Column = (typeof columns)[number];

/** What the list shows, and how: stored in the URL. */
export interface Filters {
  status: MonitorStatus | null;
  search: string;
  type: MonitorType | null;
  tag: string;
  region: string;
  channelId: string;
  parentId: string;
  sort: OverviewSort;
  group: OverviewGroup | null;
  isCompact: boolean;
  hidden: readonly Column[];
  /** The saved view that the list was opened with: its ID, `all` for none although the team has a default view, or empty. */
  view: string;
}

/** The filters that are shown as chips. */
export type Chip = 'status' | 'type' | 'tag' | 'region' | 'channelId' | 'parentId';

export const unfiltered = {
  status: null,
  search: '',
  type: null,
  tag: '',
  region: '',
  channelId: '',
  parentId: '',
} as const satisfies Partial<Filters>;

/** Reads the filters from search parameters; ignores invalid values. */
export function readFilters(get: (name: string) => string | null): Filters {
  const text = (name: string, most: number) => (get(name) ?? '').slice(0, most).trim();
  const hidden = text('hide', 100).split(',');
  return {
    status: oneOf(monitorStatuses, get('status')),
    search: text('q', 200),
    type: oneOf(monitorTypes, get('type')),
    tag: text('tag', 50).toLowerCase(),
    region: text('region', 64),
    channelId: text('channel', 64),
    parentId: text('parent', 64),
    sort: oneOf(overviewSorts, get('sort')) ?? 'worst',
    group: oneOf(overviewGroups, get('group')),
    isCompact: get('density') === 'compact',
    hidden: columns.filter((column) => hidden.includes(column)),
    view: text('view', 64),
  };
}

/** The part of the API's input that filters have. */
function conditionsOf({ status, search, type, tag, region, channelId, parentId }: Filters) {
  return {
    ...(status && { status }),
    ...(search && { search }),
    ...(type && { type }),
    ...(tag && { tag }),
    ...(region && { region }),
    ...(channelId && { channelId }),
    ...(parentId && { parentId }),
  };
}

export function overviewInput(filters: Filters): OverviewInput {
  const { sort } = filters;
  return { limit: 100, ...conditionsOf(filters), ...(sort !== 'worst' && { sort }) };
}

export function orderInput(filters: Filters): OverviewOrderInput {
  const { sort, group } = filters;
  return { ...conditionsOf(filters), ...(sort !== 'worst' && { sort }), ...(group && { group }) };
}

/** Whether fewer monitors than all match. */
export function isFiltered(filters: Filters): boolean {
  return Object.keys(conditionsOf(filters)).length > 0;
}

/** The search parameters of what determines the rows and their order. */
function listParams({ status, search, type, tag, region, channelId, parentId, sort, group }: Filters) {
  return {
    status,
    q: search,
    type,
    tag,
    region,
    channel: channelId,
    parent: parentId,
    sort: sort === 'worst' ? null : sort,
    group,
  };
}

function toQuery(params: Record<string, string | null | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value) query.set(name, value);
  return query.toString();
}

/** Identifies the rows and their order; a new scope is sorted afresh. */
export const scopeOf = (filters: Filters): string => toQuery(listParams(filters));

/** The search parameters of the filters, without a question mark. */
export function filtersToQuery(filters: Filters): string {
  const { isCompact, hidden, view } = filters;
  return toQuery({ ...listParams(filters), density: isCompact ? 'compact' : null, hide: hidden.join(','), view });
}

/** The search parameters of what a saved view keeps. */
export const viewQueryOf = (filters: Filters): string => filtersToQuery({ ...filters, view: '' });

/** The filters of a saved view. */
export function filtersOf({ id, query }: { id: string; query: string }): Filters {
  const params = new URLSearchParams(query);
  return { ...readFilters((name) => params.get(name)), view: id };
}
