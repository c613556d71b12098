import type { AuditEntry } from '@/server/audit/schema';

/** The verb and object of each action, between actor and target: "changed the monitor". */
const verbs: Record<string, string> = {
  'agent_token.create': 'created the agent token',
  'agent_token.delete': 'revoked the agent token',
  'api_key.create': 'created the API key',
  'api_key.delete': 'revoked the API key',
  'billing.checkout': 'started a checkout for',
  'billing.portal': 'opened the billing portal for',
  'billing.update': 'changed the plan of',
  'channel.confirm': 'confirmed the address of',
  'channel.create': 'created the channel',
  'channel.end_secret': 'ended the former signing secret of',
  'channel.replay': 'replayed deliveries of',
  'channel.rotate_secret': 'rotated the signing secret of',
  'channel.fallback': 'changed the fallback channel of',
  'channel.delete': 'deleted the channel',
  'channel.update': 'changed the channel',
  'contact_method.create': 'added their contact method',
  'contact_method.delete': 'removed their contact method',
  'contact_method.reorder': 'reordered the contact methods of',
  'contact_method.update': 'changed their contact method',
  'escalation_policy.create': 'created the escalation policy',
  'escalation_policy.delete': 'deleted the escalation policy',
  'escalation_policy.update': 'changed the escalation policy',
  'exclusion.create': 'excluded time from the uptime of',
  'exclusion.delete': 'removed an uptime exclusion from',
  'import.start': 'imported the file',
  'import.undo': 'undid the import of the file',
  'incident.acknowledge': 'acknowledged the incident',
  'incident.create': 'opened the incident',
  'incident.note': 'posted an update to the incident',
  'incident.note_delete': 'deleted an update of the incident',
  'incident.note_update': 'changed an update of the incident',
  'incident.postmortem': 'changed the postmortem of',
  'incident.postmortem_delete': 'deleted the postmortem of',
  'incident.reopen': 'reopened the incident',
  'incident.resolve': 'resolved the incident',
  'incident.share': 'created a public link to',
  'incident.unshare': 'revoked the public link to',
  'incident.update': 'changed the incident',
  'invitation.create': 'invited',
  'invitation.resend': 'resent the invitation for',
  'invitation.revoke': 'revoked the invitation for',
  'maintenance_feed.create': 'created a maintenance calendar of',
  'maintenance_feed.delete': 'revoked a maintenance calendar of',
  'maintenance_window.create': 'scheduled the maintenance',
  'maintenance_window.delete': 'deleted the maintenance',
  'maintenance_window.skip': 'skipped an occurrence of the maintenance',
  'maintenance_window.unskip': 'undid the skip of an occurrence of the maintenance',
  'maintenance_window.update': 'changed the maintenance',
  'member.confirm': 'confirmed the address of',
  'member.remove': 'removed the member',
  'member.update': 'changed the role of',
  'member.weekly_summary': 'changed the weekly summary of',
  'member.monthly_report': 'changed the monthly report of',
  'monitor.create': 'created the monitor',
  'monitor.defaults': 'changed the defaults for monitors that do not set',
  'monitor.delete': 'deleted the monitor',
  'monitor.restore': 'undid the deletion of the monitor',
  'monitor.update': 'changed the monitor',
  'on_call_feed.create': 'created a calendar feed of',
  'on_call_feed.delete': 'revoked a calendar feed of',
  'on_call_override.create': 'added an override to',
  'on_call_override.delete': 'deleted an override of',
  'on_call_override.update': 'changed an override of',
  'on_call_schedule.create': 'created the on-call schedule',
  'on_call_schedule.delete': 'deleted the on-call schedule',
  'on_call_schedule.update': 'changed the on-call schedule',
  'saved_view.create': 'saved the view',
  'saved_view.delete': 'deleted the view',
  'saved_view.update': 'changed the view',
  'status_page_component.create': 'added the component',
  'status_page_component.delete': 'deleted the component',
  'status_page_component.update': 'changed the component',
  'status_page.create': 'created the status page',
  'status_page.delete': 'deleted the status page',
  'status_page.remove_logo': 'removed the logo of',
  'status_page.set_logo': 'set the logo of',
  'status_page.update': 'changed the status page',
  'team.create': 'created the team',
  'team.delete': 'deleted the team',
  'team.update': 'renamed the team',
  'user.force_delete': 'permanently deleted the account',
  'user.password_reset': 'reset the password of',
  'user.password_reset_link': 'created a password reset link for',
};

/** Actions on the actor's own account or membership, without a target. */
const ownVerbs: Record<string, string> = {
  'account.create': 'signed up',
  'account.email': 'changed their email address',
  'account.password': 'changed their password',
  'account.password_reset': 'reset their password',
  'account.update': 'changed their profile',
  'invitation.accept': 'accepted an invitation',
  'member.leave': 'left the team',
};

export interface Sentence {
  who: string;
  did: string;
  /** Null if the actor is the target. */
  what: string | null;
}

/** An entry as a sentence. A person is named by email address, an unknown action by its name. */
export function sentenceOf({ action, actor, target }: AuditEntry): Sentence {
  const own = ownVerbs[action];
  // A sign-up has no actor.
  if (own) return { who: actor.email ?? target.name ?? 'Someone', did: own, what: null };
  const who = actor.kind === 'system' ? 'Upwatch' : (actor.email ?? 'Someone');
  return { who, did: verbs[action] ?? `performed ${action} on`, what: target.name ?? target.id };
}

/** The credential as text. */
export function credentialOf({ actor }: AuditEntry): string | null {
  if (actor.kind === 'key') return `API key ${actor.credential ?? ''}…`;
  return actor.credential;
}

/** The filters of a team's log. */
export const teamKinds = [
  { value: 'all', label: 'All entries' },
  { value: 'monitor', label: 'Monitors' },
  { value: 'incident', label: 'Incidents' },
  { value: 'channel', label: 'Channels' },
  { value: 'status_page', label: 'Status pages' },
  { value: 'status_page_component', label: 'Components' },
  { value: 'maintenance_window', label: 'Maintenance' },
  { value: 'member', label: 'Members' },
  { value: 'invitation', label: 'Invitations' },
  { value: 'agent_token', label: 'Agent tokens' },
  { value: 'api_key', label: 'API keys' },
  { value: 'billing', label: 'Billing' },
  { value: 'account', label: 'Accounts' },
] as const;

/** The filters of the instance's log. */
export const instanceKinds = [
  ...teamKinds,
  { value: 'team', label: 'Teams' },
  { value: 'user', label: 'Users' },
] as const;

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

/** The changed fields of an entry; null stands for an absent value. */
export function changedFields({ before, after }: AuditEntry): ChangedField[] {
  const names = Object.keys({ ...before, ...after });
  return names
    .map((name) => ({ name, before: shown(before?.[name]), after: shown(after?.[name]) }))
    .filter((field) => field.before !== null || field.after !== null);
}
