import {
  type ChannelSpec,
  type ItemSpec,
  type MonitorSpec,
  type PageSpec,
  type PolicySpec,
  type ScheduleSpec,
  type Section,
  type Spec,
  type SpecOf,
  specSchemas,
  type TargetSpec,
  type WindowSpec,
} from '@/server/config-files/schema';
import { definitions } from '@/server/monitor-types/schema';
import { channelDefinitionOf, eventsOf } from '@/server/notifications/schema';
import type { EscalationTarget } from '@/server/on-call/schema';
import type { Keys, RowOf, TeamState } from './state';

// How objects of the API and of files correspond: IDs and keys, members and email addresses, defaults.

interface Scope {
  monitors: string[] | null;
  tags: string[];
}

const unique = (values: string[]) => [...new Set(values)];
/** Returns keys sorted and without duplicates, because their order has no meaning. */
const toSet = (keys: string[]) => unique(keys).sort();

/** Completes a scope as the API does: tags without monitors limit it to the tags. */
function completeScope<S extends Scope>(spec: S): S {
  const tags = unique(spec.tags);
  const monitors = spec.monitors === null && tags.length > 0 ? [] : spec.monitors && toSet(spec.monitors);
  return { ...spec, monitors, tags };
}

/** Returns a config with the defaults of its schema. */
function completeConfig(schema: { safeParse(value: unknown): { data?: unknown } }, config: object): object {
  return (schema.safeParse(config).data as object | undefined) ?? config;
}

const isCron = (config: Record<string, unknown>) => config.cron !== undefined;

const complete: { [S in Section]: (spec: SpecOf[S]) => SpecOf[S] } = {
  channels: (spec) => {
    const { schema } = channelDefinitionOf(spec.type);
    const config = completeConfig(schema, spec.config) as Record<string, string>;
    // The API returns a missing field as an empty one.
    const isMissing = (field: string, value: string | undefined) => {
      if (value !== '') return value === undefined;
      const { [field]: _empty, ...others } = config;
      return (completeConfig(schema, others) as Record<string, string>)[field] === undefined;
    };
    const given = Object.fromEntries(Object.entries(config).filter(([field, value]) => !isMissing(field, value)));
    const events = spec.rules.events ?? eventsOf(spec.type);
    const rules = completeScope({ ...spec.rules, events: eventsOf(spec.type).filter((kind) => events.includes(kind)) });
    return { ...spec, config: given, rules };
  },
  monitors: (spec) => {
    const { pingUrl: _assigned, ...config } = completeConfig(definitions[spec.type].schema, spec.config) as Record<
      string,
      unknown
    >;
    const { intervalSeconds, ...rest } = spec;
    const channels = spec.channels && toSet(spec.channels);
    const interval = isCron(config) || intervalSeconds === undefined ? {} : { intervalSeconds };
    const { type, name, ...more } = rest;
    return { type, name, ...more, config, ...interval, tags: unique(spec.tags), channels };
  },
  schedules: (spec) => spec,
  escalationPolicies: completeScope,
  maintenanceWindows: (spec) =>
    completeScope({ ...spec, description: spec.description || null, skip: toSet(spec.skip) }),
  statusPages: (spec) => spec,
};

/** Returns a spec with all its defaults, in the form in which two specs are compared. */
export function completeSpec<S extends Section>(section: S, spec: SpecOf[S]): SpecOf[S] {
  return complete[section](spec);
}

/** Looks up the keys of a team's objects, and the email addresses of its members. */
interface Names {
  key(section: Section, id: string): string | null;
  keys(section: Section, ids: string[]): string[];
  person(id: string): string;
}

export function namesOf(state: TeamState, keys: Keys): Names {
  const key = (section: Section, id: string) => keys[section].get(id) ?? null;
  return {
    key,
    // What was deleted meanwhile has no key.
    keys: (section, ids) => ids.flatMap((id) => key(section, id) ?? []),
    person: (id) => state.people.get(id) ?? id,
  };
}

const scopeOf = ({ monitorIds, tags }: { monitorIds: string[] | null; tags: string[] }, { keys }: Names): Scope => ({
  monitors: monitorIds && keys('monitors', monitorIds),
  tags,
});

function targetOf({ type, id }: EscalationTarget, { key, person }: Names): TargetSpec[] {
  if (type === 'user') return [{ user: person(id) }];
  const named = key(type === 'channel' ? 'channels' : 'schedules', id);
  if (named === null) return [];
  return type === 'channel' ? [{ channel: named }] : [{ schedule: named }];
}

const fromRow: { [S in Section]: (row: RowOf[S], names: Names) => SpecOf[S] } = {
  channels: (row, names) => ({
    type: row.type,
    name: row.name,
    config: row.config,
    rules: {
      ...scopeOf(row.rules, names),
      minSeverity: row.rules.minSeverity,
      events: row.rules.events,
      quietHours: row.rules.quietHours,
      maxPerMinute: row.rules.maxPerMinute,
      reminderMinutes: row.rules.reminderMinutes,
    },
    templates: row.templates,
    fallback: row.fallbackChannelId === null ? null : names.key('channels', row.fallbackChannelId),
  }),
  monitors: (row, names) => ({
    type: row.type,
    name: row.name,
    config: row.config,
    intervalSeconds: row.intervalSeconds,
    isActive: row.isActive === 1,
    tags: row.tags,
    regions: row.regions,
    severity: row.severity,
    channels: row.channelIds && names.keys('channels', row.channelIds),
    parent: row.parentId === null ? null : names.key('monitors', row.parentId),
  }),
  schedules: (row, { person }) => ({
    name: row.name,
    timezone: row.timezone,
    layers: row.layers.map(({ name, userIds, ...layer }) => ({ name, people: userIds.map(person), ...layer })),
  }),
  escalationPolicies: (row, names) => ({
    name: row.name,
    steps: row.steps.map(({ targets, waitMinutes }) => ({
      targets: targets.flatMap((target) => targetOf(target, names)),
      waitMinutes,
    })),
    repeat: row.repeat,
    ...scopeOf(row, names),
    minSeverity: row.minSeverity,
  }),
  maintenanceWindows: (row, names) => ({
    title: row.title,
    description: row.description,
    startsAt: row.startsAt,
    endsAt: row.endsAt,
    recurrence: row.recurrence,
    timezone: row.timezone,
    ...scopeOf(row, names),
    checks: row.checks,
    isAnnounced: row.isAnnounced,
    announceHours: row.announceHours,
    notifiesChannels: row.notifiesChannels,
    skip: row.skipped.map(({ startsAt }) => startsAt),
  }),
  statusPages: (row, names) => {
    const components = new Map(row.components.map((component) => [component.id, component]));
    const items = row.order.flatMap((id): ItemSpec[] => {
      const component = components.get(id);
      if (component) return [{ component: component.name, description: component.description }];
      const monitor = names.key('monitors', id);
      const name = row.displayNames[id];
      return monitor === null ? [] : [{ monitor, ...(name !== undefined && { name }) }];
    });
    const { slug, title, description, isPublic } = row;
    return { slug, title, description, isPublic, items };
  },
};

/** Returns the current spec of an object, with the defaults. */
export function toSpec<S extends Section>(section: S, row: RowOf[S], names: Names): SpecOf[S] {
  return completeSpec(section, fromRow[section](row, names));
}

/** A reference to another object, and its path in the spec. */
export interface Reference {
  section: Section;
  key: string;
  path: (string | number)[];
}

const all = (section: Section, keys: string[] | null, ...path: (string | number)[]): Reference[] =>
  (keys ?? []).map((key, index) => ({ section, key, path: [...path, index] }));
const one = (section: Section, key: string | null, ...path: (string | number)[]): Reference[] =>
  key === null ? [] : [{ section, key, path }];

const references: { [S in Section]: (spec: SpecOf[S]) => Reference[] } = {
  channels: ({ rules, fallback }: ChannelSpec) => [
    ...all('monitors', rules.monitors, 'rules', 'monitors'),
    ...one('channels', fallback, 'fallback'),
  ],
  monitors: ({ channels, parent }: MonitorSpec) => [
    ...all('channels', channels, 'channels'),
    ...one('monitors', parent, 'parent'),
  ],
  schedules: () => [],
  escalationPolicies: ({ steps, monitors }: PolicySpec) => [
    ...all('monitors', monitors, 'monitors'),
    ...steps.flatMap(({ targets }, step) =>
      targets.flatMap((target, index): Reference[] => {
        const path = ['steps', step, 'targets', index];
        if ('channel' in target) return one('channels', target.channel, ...path, 'channel');
        return 'schedule' in target ? one('schedules', target.schedule, ...path, 'schedule') : [];
      }),
    ),
  ],
  maintenanceWindows: ({ monitors }: WindowSpec) => all('monitors', monitors, 'monitors'),
  statusPages: ({ items }: PageSpec) =>
    items.flatMap((item, index) => ('monitor' in item ? one('monitors', item.monitor, 'items', index, 'monitor') : [])),
};

/** Returns the objects that a spec refers to. */
export function referencesOf<S extends Section>(section: S, spec: SpecOf[S]): Reference[] {
  return references[section](spec);
}

/** Returns the members that a spec names, and where. */
export function peopleOf(section: Section, spec: Spec): { email: string; path: (string | number)[] }[] {
  if (section === 'schedules') {
    return (spec as ScheduleSpec).layers.flatMap(({ people }, layer) =>
      people.map((email, index) => ({ email, path: ['layers', layer, 'people', index] })),
    );
  }
  if (section !== 'escalationPolicies') return [];
  return (spec as PolicySpec).steps.flatMap(({ targets }, step) =>
    targets.flatMap((target, index) =>
      'user' in target ? [{ email: target.user, path: ['steps', step, 'targets', index, 'user'] }] : [],
    ),
  );
}

/** Returns a spec without the fields that have their default. */
export function withoutDefaults(section: Section, spec: Spec): Record<string, unknown> {
  const schema = specSchemas[section];
  const text = (value: unknown) => {
    const { data } = schema.safeParse(value);
    return data === undefined ? null : JSON.stringify(sortKeys(completeSpec(section, data as never)));
  };
  const whole = text(spec);
  const shorten = (value: Record<string, unknown>, put: (next: Record<string, unknown>) => unknown) => {
    let kept = value;
    for (const field of Object.keys(value)) {
      const { [field]: _without, ...rest } = kept;
      if (whole !== null && text(put(rest)) === whole) kept = rest;
    }
    return kept;
  };
  let short: Record<string, unknown> = { ...spec };
  for (const inner of ['config', 'rules']) {
    const value = short[inner];
    if (typeof value === 'object' && value !== null) {
      const outer = short;
      short = { ...short, [inner]: shorten(value as Record<string, unknown>, (next) => ({ ...outer, [inner]: next })) };
    }
  }
  return shorten(short, (next) => next);
}

/** Returns the same value with the fields of objects in alphabetical order, for comparisons. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => [name, sortKeys(each)]));
}
