import type { inferRouterInputs } from '@trpc/server';
import type { AppRouter } from '@/server/api/router';

/** The kinds of objects that live events name. */
export type Kind = 'monitor' | 'incident' | 'channel' | 'on-call' | 'status-page';

/** A changed object. `*` means all objects of its kind, after missed events. */
export type Change = `${Kind}:${string}`;
export const everything: readonly Change[] = ['monitor:*', 'incident:*', 'channel:*', 'on-call:*', 'status-page:*'];

/** What a query shows: the object whose `id` is in its input, a list of objects of a kind, or both. */
interface Shows {
  one?: Kind;
  many?: Kind | readonly Kind[];
}
type Inputs = inferRouterInputs<AppRouter>;

/** The queries that live events can change. */
const queries: { [Router in keyof Inputs]?: { [Procedure in keyof Inputs[Router]]?: Shows } } = {
  monitors: {
    // Not `order`, which is long: the page reads it from time to time.
    overview: { many: 'monitor' },
    rows: { many: 'monitor' },
    find: { many: 'monitor' },
    list: { many: 'monitor' },
    get: { one: 'monitor' },
    detail: { one: 'monitor' },
    checks: { one: 'monitor' },
    parent: { one: 'monitor' },
  },
  maintenance: {
    list: { many: 'monitor' },
    get: { many: 'monitor' },
    preview: { many: 'monitor' },
    occurrences: { many: 'monitor' },
  },
  exclusions: { list: { one: 'monitor' } },
  incidents: {
    unresolvedCount: { many: 'incident' },
    counts: { many: 'incident' },
    list: { many: 'incident' },
    detail: { one: 'incident', many: 'channel' },
    evidence: { one: 'incident' },
    postmortem: { one: 'incident' },
  },
  notifications: {
    list: { many: 'channel' },
    get: { one: 'channel' },
    deliveries: { one: 'channel' },
    delivery: { one: 'channel' },
    teamFallback: { many: 'channel' },
    templates: { one: 'channel' },
    rules: { one: 'channel' },
    grouping: { many: 'channel' },
  },
  statusPages: { list: { many: 'status-page' }, get: { one: 'status-page' }, editor: { one: 'status-page' } },
  statusPageComponents: { list: { many: 'status-page' }, get: { many: 'status-page' } },
  onCall: {
    now: { many: 'on-call' },
    reachable: { many: 'channel' },
    list: { many: 'on-call' },
    get: { one: 'on-call' },
    timeline: { one: 'on-call' },
  },
  // Their warnings depend on all schedules and channels that they name.
  escalationPolicies: { list: { many: ['on-call', 'channel'] }, get: { many: ['on-call', 'channel'] } },
  contactMethods: { list: { many: 'channel' } },
};

/**
 * Whether a query must be reloaded after these changes.
 * @param queryKey as built by tRPC: the procedure's path, and its input
 */
export function isChanged(queryKey: readonly unknown[], changes: ReadonlySet<Change>): boolean {
  const [path, options] = queryKey as [path?: string[], options?: { input?: { id?: string } }];
  const [router = '', procedure = ''] = path ?? [];
  const shows = (queries as Record<string, Record<string, Shows>>)[router]?.[procedure];
  if (!shows) return false;
  const { one, many } = shows;
  const kinds: readonly Kind[] = many === undefined ? [] : [many].flat();
  if (kinds.some((kind) => [...changes].some((change) => change.startsWith(`${kind}:`)))) return true;
  return one !== undefined && (changes.has(`${one}:*`) || changes.has(`${one}:${options?.input?.id}`));
}
