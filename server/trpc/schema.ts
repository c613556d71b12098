import { z } from 'zod';

/** The roles of members, strongest first. */
export const Role = z.enum(['owner', 'admin', 'member', 'viewer']);
export type Role = z.infer<typeof Role>;

/** Whether role `a` is stronger than role `b`. */
export function isStronger(a: Role, b: Role): boolean {
  return Role.options.indexOf(a) < Role.options.indexOf(b);
}

export type Action = 'read' | 'write';

interface ResourceEntry {
  label: string;
  /** What belongs to it besides the objects of its name. */
  covers?: string;
  /** The routers of its procedures (server/api/router.ts). */
  routers: readonly string[];
  /** What a key can do with it. */
  actions: readonly Action[];
  /** Actions that need a scope of this resource and are not covered by plain `read` or `write`, because they decide who has access. */
  named?: readonly Action[];
}

/** The resources of a team. Each has one scope per action, such as `monitors:read`. */
export const resources = {
  monitors: {
    label: 'Monitors',
    covers: 'tags, history, exclusions, reports and saved views',
    routers: ['monitors', 'exclusions', 'reports', 'savedViews'],
    actions: ['read', 'write'],
  },
  incidents: {
    label: 'Incidents',
    covers: 'updates and postmortems',
    routers: ['incidents'],
    actions: ['read', 'write'],
  },
  maintenance: { label: 'Maintenance windows', routers: ['maintenance'], actions: ['read', 'write'] },
  channels: {
    label: 'Notification channels',
    covers: 'rules, templates and deliveries',
    routers: ['notifications'],
    actions: ['read', 'write'],
  },
  'on-call': {
    label: 'On-call',
    covers: 'schedules and escalation policies',
    routers: ['onCall', 'escalationPolicies', 'contactMethods', 'calendarFeeds'],
    actions: ['read', 'write'],
  },
  'status-pages': {
    label: 'Status pages',
    covers: 'components',
    routers: ['statusPages', 'statusPageComponents'],
    actions: ['read', 'write'],
  },
  imports: {
    label: 'Imports',
    covers: 'whatever an import creates',
    routers: ['imports'],
    actions: ['read', 'write'],
  },
  members: {
    label: 'Members',
    covers: 'roles and removal',
    routers: ['teams.members'],
    actions: ['read', 'write'],
    named: ['write'],
  },
  invitations: {
    label: 'Invitations',
    routers: ['teams.invitations'],
    actions: ['read', 'write'],
    named: ['read', 'write'],
  },
  'api-keys': {
    label: 'API keys',
    covers: 'list and revoke',
    routers: ['apiKeys'],
    actions: ['read', 'write'],
    named: ['read', 'write'],
  },
  agents: {
    label: 'Agents',
    covers: 'tokens of agents',
    routers: ['agents'],
    actions: ['read', 'write'],
    named: ['write'],
  },
  'audit-log': { label: 'Audit log', routers: ['audit'], actions: ['read'], named: ['read'] },
  team: {
    label: 'Team',
    covers: 'name',
    routers: ['teams', 'teamRemoval', 'summaries', 'live'],
    actions: ['write'],
    named: ['write'],
  },
  billing: { label: 'Billing', routers: ['billing'], actions: ['read'] },
} as const satisfies Record<string, ResourceEntry>;

export type Resource = keyof typeof resources;
type RouterPath = (typeof resources)[Resource]['routers'][number];
type Top<Path extends string> = Path extends `${infer First}.${string}` ? First : Path;
/** The routers that have procedures of a team. */
export type TeamRouter = Top<RouterPath>;

type ResourceScope = { [R in Resource]: `${R}:${(typeof resources)[R]['actions'][number]}` }[Resource];
export type Scope = Action | ResourceScope;

const entries = Object.entries(resources) as [Resource, ResourceEntry][];

/**
 * Every scope of an API key: `read` and `write` for all resources, except the actions that are `named`, and one scope for each action of each
 * resource.
 */
export const Scope = z.enum<readonly Scope[]>([
  'read',
  'write',
  ...entries.flatMap(([resource, { actions }]) => actions.map((action) => `${resource}:${action}` as ResourceScope)),
]);

/** Returns the resource of a procedure by its path in the router, such as "teams.members.list"; null if its router has none. */
export function resourceOf(procedure: string): Resource | null {
  const [router = '', inner] = procedure.split('.');
  const owner = (path: string) => entries.find(([, { routers }]) => routers.includes(path))?.[0];
  return owner(`${router}.${inner}`) ?? owner(router) ?? null;
}

/** Returns the name of the scope that an action on a resource needs. */
export const scopeName = (action: Action, resource: Resource): string => `${resource}:${action}`;

/**
 * Whether one of these scopes allows an action on a resource. A resource's write scope includes reading it; plain `write` does not include reading.
 * @param resource null for any resource
 */
export function allows(scopes: readonly string[], action: Action, resource: Resource | null): boolean {
  if (resource === null) return entries.some(([each]) => allows(scopes, action, each));
  const { named = [] }: ResourceEntry = resources[resource];
  return scopes.some(
    (scope) =>
      scope === `${resource}:${action}` ||
      scope === `${resource}:write` ||
      (scope === action && !named.includes(action)),
  );
}

/** Returns the scopes that a credential keeps in a role: a viewer's drop plain `write`, and write scopes of resources become read scopes. */
export function limitToRole(scopes: readonly string[], role: Role): string[] {
  if (role !== 'viewer') return [...scopes];
  return scopes.filter((scope) => scope !== 'write').map((scope) => scope.replace(/:write$/, ':read'));
}
