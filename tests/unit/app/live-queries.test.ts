import { QueryClient } from '@tanstack/react-query';
import { createTRPCClient, httpLink } from '@trpc/client';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import { describe, expect, it } from 'vitest';
import { type Change, everything, isChanged } from '@/app/_trpc/live-queries';
import type { AppRouter } from '@/server/api/router';

const trpc = createTRPCOptionsProxy<AppRouter>({
  client: createTRPCClient({ links: [httpLink({ url: 'http://127.0.0.1:9' })] }),
  queryClient: new QueryClient(),
});

/** Queries of the dashboard, by the names used in the cases. */
const keys = {
  'all monitors': trpc.monitors.overview.infiniteQueryKey({ status: 'down' }),
  'monitor a': trpc.monitors.detail.queryKey({ id: 'a', range: '24h' }),
  'monitor b': trpc.monitors.detail.queryKey({ id: 'b', range: '24h' }),
  'form of a': trpc.monitors.get.queryKey({ id: 'a' }),
  'checks of a': trpc.monitors.checks.infiniteQueryKey({ id: 'a', limit: 50 }),
  'exclusions of a': trpc.exclusions.list.queryKey({ id: 'a', limit: 100 }),
  'exclusions of b': trpc.exclusions.list.queryKey({ id: 'b', limit: 100 }),
  'all incidents': trpc.incidents.list.infiniteQueryKey({}),
  'unresolved incidents': trpc.incidents.unresolvedCount.queryKey(),
  'incident a': trpc.incidents.detail.queryKey({ id: 'a' }),
  'incident b': trpc.incidents.detail.queryKey({ id: 'b' }),
  'all channels': trpc.notifications.list.queryKey({ limit: 100 }),
  'channel a': trpc.notifications.get.queryKey({ id: 'a' }),
  'channel b': trpc.notifications.get.queryKey({ id: 'b' }),
  'deliveries of a': trpc.notifications.deliveries.infiniteQueryKey({ id: 'a' }),
  'templates of a': trpc.notifications.templates.get.queryKey({ id: 'a' }),
  'rules of a': trpc.notifications.rules.get.queryKey({ id: 'a' }),
  grouping: trpc.notifications.grouping.get.queryKey(),
  'policy a': trpc.escalationPolicies.get.queryKey({ id: 'a' }),
  'parent of a': trpc.monitors.parent.get.queryKey({ id: 'a' }),
  'all pages': trpc.statusPages.list.queryKey({ limit: 100 }),
  'page a': trpc.statusPages.editor.queryKey({ id: 'a' }),
  'all components': trpc.statusPageComponents.list.queryKey({ limit: 100 }),
  'slug of a': trpc.statusPages.isSlugFree.queryKey({ slug: 'northwind', id: 'a' }),
  regions: trpc.monitors.regions.queryKey(),
  members: trpc.teams.members.list.infiniteQueryKey({}),
  'all of a router': trpc.monitors.pathKey(),
};

function changedBy(...changes: Change[]): string[] {
  return Object.entries(keys).flatMap(([name, key]) => (isChanged(key, new Set(changes)) ? [name] : []));
}

const ofAnyChannel = ['incident a', 'incident b', 'all channels'];

describe('isChanged', () => {
  it.each([
    ['monitor:a', ['all monitors', 'monitor a', 'form of a', 'checks of a', 'exclusions of a', 'parent of a']],
    ['incident:a', ['all incidents', 'unresolved incidents', 'incident a']],
    [
      'channel:a',
      [...ofAnyChannel, 'channel a', 'deliveries of a', 'templates of a', 'rules of a', 'grouping', 'policy a'],
    ],
    ['status-page:a', ['all pages', 'page a', 'all components']],
    ['status-page:b', ['all pages', 'all components']],
    ['monitor:unknown', ['all monitors']],
    ['channel:b', [...ofAnyChannel, 'channel b', 'grouping', 'policy a']],
    ['on-call:schedule', ['policy a']],
  ] as const)('selects what %s changes, and nothing else', (change, names) => {
    expect(changedBy(change)).toEqual(names);
  });

  it('selects what any of several changes', () => {
    expect(changedBy('incident:b', 'channel:b')).toEqual([
      ...['all incidents', 'unresolved incidents', 'incident a', 'incident b'],
      ...['all channels', 'channel b', 'grouping', 'policy a'],
    ]);
  });

  it('selects every live query after missed events', () => {
    const others = ['slug of a', 'regions', 'members', 'all of a router'];
    expect(changedBy(...everything)).toEqual(Object.keys(keys).filter((name) => !others.includes(name)));
  });
});
