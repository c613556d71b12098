import { type Section, sections } from '@/server/config-files/schema';
import type { MaintenanceWindow } from '@/server/maintenance/schema';
import { managedBy } from '@/server/managed-ids/schema';
import type { Dependency, Monitor } from '@/server/monitor-types/schema';
import type { Channel, ChannelRules, ChannelTemplate } from '@/server/notifications/schema';
import type { EscalationPolicy, Schedule } from '@/server/on-call/schema';
import type { StatusPage } from '@/server/status-pages/schema';
import { type Api, forEachAtOnce } from './api';

/** A channel with its rules and templates, which the API returns at other endpoints. */
export type FullChannel = Channel & { rules: ChannelRules; templates: ChannelTemplate[] };
export type FullMonitor = Monitor & { parentId: string | null };

export interface RowOf {
  channels: FullChannel;
  monitors: FullMonitor;
  schedules: Schedule;
  escalationPolicies: EscalationPolicy;
  maintenanceWindows: MaintenanceWindow;
  statusPages: StatusPage;
}

/** The path of each kind of object in the API, and its names in responses. */
export const resources = {
  channels: { path: '/api/v1/channels', many: 'channels', one: 'channel', label: 'channel' },
  monitors: { path: '/api/v1/monitors', many: 'monitors', one: 'monitor', label: 'monitor' },
  schedules: { path: '/api/v1/on-call/schedules', many: 'schedules', one: 'schedule', label: 'on-call schedule' },
  escalationPolicies: {
    path: '/api/v1/escalation-policies',
    many: 'escalationPolicies',
    one: 'escalationPolicy',
    label: 'escalation policy',
  },
  maintenanceWindows: {
    path: '/api/v1/maintenance-windows',
    many: 'maintenanceWindows',
    one: 'maintenanceWindow',
    label: 'maintenance window',
  },
  statusPages: { path: '/api/v1/status-pages', many: 'statusPages', one: 'statusPage', label: 'status page' },
} satisfies Record<Section, { path: string; many: string; one: string; label: string }>;

/** The configuration of a team as the API returns it, each list oldest first. */
export interface TeamState {
  rows: { [S in Section]: RowOf[S][] };
  /** The email addresses of members by ID. */
  people: Map<string, string>;
  alertGroupSeconds: number;
  fallbackChannelId: string | null;
}

/** Reads the configuration of the key's team. */
export async function readTeam(api: Api): Promise<TeamState> {
  const list = <S extends Section>(section: S) => api.all<RowOf[S]>(resources[section].path, resources[section].many);
  const [channels, monitors, schedules, escalationPolicies, maintenanceWindows, statusPages, parents, members] =
    await Promise.all([
      list('channels'),
      list('monitors'),
      list('schedules'),
      list('escalationPolicies'),
      list('maintenanceWindows'),
      list('statusPages'),
      api.all<Dependency>('/api/v1/monitor-parents', 'dependencies'),
      api.all<{ id: string; email: string }>('/api/v1/members', 'members'),
    ]);
  const grouping = await api.one<{ seconds: number }>('GET', '/api/v1/team/alert-grouping', 'grouping');
  const fallbackChannelId = await api.one<string | null>('GET', '/api/v1/team/fallback-channel', 'fallbackChannelId');
  await forEachAtOnce(channels, async (channel) => {
    const at = `${resources.channels.path}/${channel.id}`;
    channel.rules = await api.one('GET', `${at}/rules`, 'rules');
    channel.templates = await api.one('GET', `${at}/templates`, 'templates');
  });
  const parentOf = new Map(parents.map(({ monitorId, parentId }) => [monitorId, parentId]));
  for (const monitor of monitors) monitor.parentId = parentOf.get(monitor.id) ?? null;
  return {
    rows: { channels, monitors, schedules, escalationPolicies, maintenanceWindows, statusPages },
    people: new Map(members.map(({ id, email }) => [id, email])),
    alertGroupSeconds: grouping.seconds,
    fallbackChannelId,
  };
}

/** The keys of a team's objects by ID. */
export type Keys = { [S in Section]: Map<string, string> };

const MOST_CHARACTERS = 60;

/** Makes a key from a name: its letters and digits, with hyphens in between. Returns `otherwise` if the name has none. */
export function toKey(name: string, otherwise: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  const words = plain.match(/[a-z0-9]+/g)?.join('-') ?? '';
  return words.slice(0, MOST_CHARACTERS).replace(/-$/, '') || otherwise;
}

/** Returns the default key of an object that no files of a project describe, before it is made unique. */
function suggestKey(section: Section, row: RowOf[Section]): string {
  const { label } = resources[section];
  const name = 'name' in row ? row.name : 'slug' in row ? row.slug : row.title;
  return toKey(managedBy(row.externalId)?.key ?? row.externalId ?? name, label.replaceAll(' ', '-'));
}

/**
 * Returns the keys of all objects of a team. Those of the project have their own; others get one from their external ID or name, oldest first, with a
 * number if it is taken. `export` writes these keys, so that `apply` finds the same objects.
 */
export function assignKeys({ rows }: TeamState, project: string): Keys {
  const ofSection = (section: Section) => {
    const keys = new Map<string, string>();
    const taken = new Set<string>();
    const others: RowOf[Section][] = [];
    for (const row of rows[section]) {
      const owner = managedBy(row.externalId);
      if (owner?.project !== project) others.push(row);
      else {
        keys.set(row.id, owner.key);
        taken.add(owner.key);
      }
    }
    for (const row of others) {
      const base = suggestKey(section, row);
      let key = base;
      for (let number = 2; taken.has(key); number += 1) key = `${base}-${number}`;
      keys.set(row.id, key);
      taken.add(key);
    }
    return keys;
  };
  return Object.fromEntries(sections.map((section) => [section, ofSection(section)])) as Keys;
}
