import type { ItemSpec, PageSpec, Section, SpecOf, TargetSpec } from '@/server/config-files/schema';
import type { EscalationTarget } from '@/server/on-call/schema';

/** Looks up the IDs of objects by key, and of members by email address. */
export interface Ids {
  id(section: Section, key: string): string;
  person(email: string): string;
}

const scopeIds = ({ monitors, tags }: { monitors: string[] | null; tags: string[] }, { id }: Ids) => ({
  monitorIds: monitors?.map((key) => id('monitors', key)) ?? null,
  tags,
});

function toTarget(target: TargetSpec, { id, person }: Ids): EscalationTarget {
  if ('user' in target) return { type: 'user', id: person(target.user) };
  return 'channel' in target
    ? { type: 'channel', id: id('channels', target.channel) }
    : { type: 'schedule', id: id('schedules', target.schedule) };
}

const monitorItems = (items: ItemSpec[]) => items.flatMap((item) => ('monitor' in item ? [item] : []));
export const componentItems = ({ items }: PageSpec) =>
  items.flatMap((item) => ('component' in item ? [{ name: item.component, description: item.description }] : []));

/**
 * Returns the IDs of a page's items in their order.
 * @param componentIds by name
 */
export function orderOf({ items }: PageSpec, { id }: Ids, componentIds: Map<string, string>): string[] {
  return items.flatMap((item) =>
    'monitor' in item ? id('monitors', item.monitor) : (componentIds.get(item.component) ?? []),
  );
}

/** Functions that return the body that creates or updates an object, without what the API changes at other endpoints. */
export const bodies: { [S in Section]: (spec: SpecOf[S], ids: Ids) => Record<string, unknown> } = {
  channels: ({ type, name, config }) => ({ type, name, config }),
  monitors: ({ parent: _parent, channels, ...spec }, { id }) => ({
    ...spec,
    channelIds: channels?.map((key) => id('channels', key)) ?? null,
  }),
  schedules: ({ layers, ...spec }, { person }) => ({
    ...spec,
    layers: layers.map(({ people, ...layer }) => ({ ...layer, userIds: people.map(person) })),
  }),
  escalationPolicies: ({ steps, monitors, tags, ...spec }, ids) => ({
    ...spec,
    ...scopeIds({ monitors, tags }, ids),
    steps: steps.map(({ targets, waitMinutes }) => ({
      targets: targets.map((target) => toTarget(target, ids)),
      waitMinutes,
    })),
  }),
  maintenanceWindows: ({ skip: _skip, monitors, tags, ...spec }, ids) => ({
    ...spec,
    ...scopeIds({ monitors, tags }, ids),
  }),
  statusPages: ({ items, ...spec }, { id }) => {
    const monitors = monitorItems(items).map(({ monitor, name }) => ({ id: id('monitors', monitor), name }));
    return {
      ...spec,
      monitorIds: monitors.map((each) => each.id),
      displayNames: Object.fromEntries(
        monitors.flatMap(({ id: of, name }) => (name === undefined ? [] : [[of, name]])),
      ),
    };
  },
};

/** Returns the body that sets a channel's rules. */
export const rulesBody = ({ rules }: SpecOf['channels'], ids: Ids): Record<string, unknown> => {
  const { monitors, tags, ...rest } = rules;
  return { ...rest, ...scopeIds({ monitors, tags }, ids) };
};
