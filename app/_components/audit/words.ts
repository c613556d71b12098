import type { AuditEntry } from '@/server/audit/schema';

/** What was done, to follow the name of who did it: "changed the monitor". The name of the thing comes after. */
const verbs: Record<string, string> = {
  'account.create': 'made the account',
  'account.password': 'changed the password of',
  'api_key.create': 'made the API key',
  'api_key.delete': 'revoked the API key',
  'billing.checkout': 'opened a checkout for',
  'billing.portal': 'opened the billing portal for',
  'billing.update': 'changed the plan of',
  'channel.create': 'made the channel',
  'channel.delete': 'deleted the channel',
  'channel.update': 'changed the channel',
  'incident.acknowledge': 'acknowledged the incident',
  'incident.create': 'opened the incident',
  'incident.note': 'wrote an update on the incident',
  'incident.resolve': 'resolved the incident',
  'incident.update': 'changed the incident',
  'invitation.accept': 'accepted an invitation as',
  'invitation.create': 'invited',
  'invitation.resend': 'made a new link for',
  'invitation.revoke': 'revoked the invitation of',
  'maintenance_window.create': 'planned the maintenance',
  'maintenance_window.delete': 'deleted the maintenance',
  'maintenance_window.update': 'changed the maintenance',
  'member.leave': 'left the team as',
  'member.remove': 'removed the member',
  'member.update': 'changed the role of',
  'monitor.create': 'made the monitor',
  'monitor.delete': 'deleted the monitor',
  'monitor.update': 'changed the monitor',
  'status_page.create': 'made the status page',
  'status_page.delete': 'deleted the status page',
  'status_page.remove_logo': 'removed the logo of',
  'status_page.set_logo': 'set the logo of',
  'status_page.update': 'changed the status page',
  'user.force_delete': 'deleted for good the account',
};

/** What an entry's action says; one that is not known here by its own name. */
export function verbOf({ action }: AuditEntry): string {
  return verbs[action] ?? `did ${action} to`;
}

/** Who did it: a person by their address, or nobody's request. */
export function actorOf({ actor }: AuditEntry): string {
  if (actor.kind === 'system') return 'Upwatch';
  return actor.email ?? 'Someone';
}

/** The credential in words. */
export function credentialOf({ actor }: AuditEntry): string | null {
  if (actor.kind === 'key') return `API key ${actor.credential ?? ''}…`;
  return actor.credential;
}

/** The kinds of things a team's log can be narrowed to. */
export const teamKinds = [
  { value: 'all', label: 'Everything' },
  { value: 'monitor', label: 'Monitors' },
  { value: 'incident', label: 'Incidents' },
  { value: 'channel', label: 'Channels' },
  { value: 'status_page', label: 'Status pages' },
  { value: 'maintenance_window', label: 'Maintenance' },
  { value: 'member', label: 'Members' },
  { value: 'invitation', label: 'Invitations' },
  { value: 'api_key', label: 'API keys' },
  { value: 'billing', label: 'Billing' },
  { value: 'account', label: 'Accounts' },
] as const;

/** The same of the instance's log. */
export const instanceKinds = [...teamKinds, { value: 'user', label: 'Force deletes' }] as const;

export type Kind = (typeof instanceKinds)[number]['value'];

export interface ChangedField {
  name: string;
  before: string | null;
  after: string | null;
}

const ONE_LINE = 60;

function shown(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value;
  const line = JSON.stringify(value);
  return line.length <= ONE_LINE ? line : JSON.stringify(value, null, 2);
}

/** What an entry changed, field by field: null where there was, or is, nothing. */
export function changedFields({ before, after }: AuditEntry): ChangedField[] {
  const names = Object.keys({ ...before, ...after });
  return names
    .map((name) => ({ name, before: shown(before?.[name]), after: shown(after?.[name]) }))
    .filter((field) => field.before !== null || field.after !== null);
}
