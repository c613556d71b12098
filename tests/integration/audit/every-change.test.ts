import '@/tests/support/stripe/with-stripe';
import { beforeAll, describe, expect, it } from 'vitest';
import { appRouter } from '@/server/api/router';
import { newAcknowledgeToken } from '@/server/notifications/acknowledgments/acknowledge-link';
import { newConfirmationToken } from '@/server/notifications/confirmations/confirmation-link';
import { db } from '@/server/platform/db';
import { newUnsubscribeToken } from '@/server/summaries/unsubscribe-link';
import { newLink } from '@/tests/support/account-links';
import { as, httpMonitor, type Person, rest, signUp } from '@/tests/support/rest';
import { buy } from '../billing/support';

/** Operations that change nothing a user decides on: they open or end sessions, or run something that is set up. */
const withoutEntry = [
  'auth.logIn',
  'auth.refresh',
  'auth.logOut',
  'auth.switchTeam',
  'auth.requestPasswordReset',
  'auth.requestEmailChange',
  'auth.sessions.end',
  'auth.sessions.endOthers',
  'monitors.check',
  'monitors.testSettings',
  'notifications.test',
  'notifications.testSettings',
  'notifications.preview',
  'incidents.previewPostmortem',
  'contactMethods.test',
  'contactMethods.testSettings',
  'notifications.resendConfirmation',
  // Files that wait for an import, and the steps of a started one, whose objects have their own entries.
  ...['create', 'addPart', 'read', 'run'].map((verb) => `imports.${verb}`),
];

let admin: Person;
let person: Person;
beforeAll(async () => {
  admin = await signUp('Ada');
  person = await signUp('Robin');
});

const call = (method: string, path: string, body?: unknown) => as(person.token)(method, path, body);

const newMonitor = async () => (await call('POST', '/dashboard/monitors', httpMonitor())).body.monitor.id;
const exclusion = { from: '2026-01-02T03:00:00Z', to: '2026-01-02T05:00:00Z', reason: 'Fire drill' };
const newNote = async () => {
  const path = `/api/v1/incidents/${await newIncident()}/updates`;
  return `${path}/${(await call('POST', path, { message: 'We are looking.' })).body.update.id}`;
};
const newIncident = async () => (await call('POST', '/api/v1/incidents', { title: 'Manual' })).body.incident.id;
const hook = { type: 'webhook', name: 'Hook', config: { url: 'http://127.0.0.1:9/hook', secret: 'a-secret-to-keep' } };
/** A failed delivery of a new channel. */
async function failedDelivery(): Promise<{ id: string; channelId: string }> {
  const channelId = await newChannel();
  const incidentId = await newIncident();
  const row = await db.delivery.findFirstOrThrow({ where: { channelId, incidentId } });
  return db.delivery.update({ where: { id: row.id }, data: { status: 'failed', nextAttemptAt: null } });
}
const newChannel = async () => (await call('POST', '/dashboard/notification-channels', hook)).body.channel.id;
const phone = { type: 'email', name: 'Mail', config: { to: 'robin@example.test' } };
const newContactMethod = async () => (await call('POST', '/api/v1/me/contact-methods', phone)).body.contactMethod.id;
const schedules = '/api/v1/on-call/schedules';
const schedule = () => ({
  name: 'Payments',
  layers: [
    {
      name: 'Primary',
      userIds: [person.userId],
      rotation: { unit: 'days', every: 1 },
      startDate: '2026-01-05',
      handoverTime: '08:00',
    },
  ],
});
const newSchedule = async () => (await call('POST', schedules, schedule())).body.schedule.id;
const cover = () => ({ userId: person.userId, startsAt: soon(1), endsAt: soon(60) });
const policies = '/api/v1/escalation-policies';
const policy = () => ({
  name: 'Payments',
  steps: [{ targets: [{ type: 'user', id: person.userId }], waitMinutes: 5 }],
  tags: ['never'],
});
const newPolicy = async () => (await call('POST', policies, policy())).body.escalationPolicy.id;
const soon = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const feeds = '/api/v1/me/calendar-feeds';
const views = '/api/v1/saved-views';
let viewsMade = 0;
const newView = async () => {
  viewsMade += 1;
  return (await call('POST', views, { name: `View ${viewsMade}`, query: '' })).body.savedView.id;
};
const imports = '/api/v1/imports';
const newImport = async () => {
  const file = Buffer.from('{"monitorList":[]}');
  const body = { source: 'uptime-kuma', fileName: 'kuma.json', bytes: file.length };
  const { id } = (await call('POST', imports, body)).body.import;
  await call('POST', `${imports}/${id}/parts`, { position: 0, data: file.toString('base64') });
  await call('POST', `${imports}/${id}/read`, {});
  return id;
};
const maintenance = { title: 'Work', startsAt: soon(1), endsAt: soon(60), monitorIds: null };
const newWindow = async () =>
  (await call('POST', '/api/v1/maintenance-windows', maintenance)).body.maintenanceWindow.id;
const dailyWindow = async () => {
  const body = { ...maintenance, recurrence: 'FREQ=DAILY' };
  return (await call('POST', '/api/v1/maintenance-windows', body)).body.maintenanceWindow;
};
const skip = ({ id, next }: { id: string; next: { startsAt: string } }, verb = 'skip') =>
  call('POST', `/api/v1/maintenance-windows/${id}/${verb}`, { startsAt: next.startsAt });
const runningWindow = async () =>
  (await call('POST', '/api/v1/maintenance-windows/start', { minutes: 5 })).body.maintenanceWindow.id;
const newPage = async () => {
  const slug = `page-${crypto.randomUUID().slice(0, 8)}`;
  return (await call('POST', '/dashboard/status-pages', { slug, title: 'Northwind' })).body.statusPage.id;
};
const components = '/api/v1/status-page-components';
const newComponent = async () =>
  (await call('POST', components, { statusPageId: await newPage(), name: 'Phone' })).body.component.id;
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=';
const guest = { email: 'guest@example.test', role: 'member' };
const invite = async () => {
  const { body } = await call('POST', '/dashboard/team/invitations', { ...guest, email: `${Date.now()}@example.test` });
  return body.invitation;
};
const newMember = async () => {
  const { userId } = await signUp();
  await db.membership.create({ data: { teamId: person.teamId, userId, role: 'member' } });
  return userId;
};

interface Outcome {
  status: number;
  body: unknown;
}

/** One successful call of every mutation, at each of its paths, and the action of its audit entry. */
const changes: Record<string, [action: string, run: () => Promise<Outcome>]> = {
  'auth.signUp': [
    'account.create',
    () => rest('POST', '/auth/signup', { body: { email: 'new@example.test', password: 'correct horse battery' } }),
  ],
  'auth.resetPassword': [
    'account.password_reset',
    async () => {
      const token = await newLink({ userId: (await signUp()).userId, purpose: 'password_reset' });
      return rest('POST', '/auth/password-reset/confirm', { body: { token, newPassword: 'another horse battery' } });
    },
  ],
  'auth.updateProfile': ['account.update', () => call('PATCH', '/dashboard/me', { name: 'Robin Redbreast' })],
  'auth.confirmEmailChange': [
    'account.email',
    async () => {
      const { userId } = await signUp();
      const token = await newLink({ userId, purpose: 'email_change', email: 'changed@example.test' });
      return rest('POST', '/auth/email/confirm', { body: { token } });
    },
  ],
  'auth.changePassword': [
    'account.password',
    async () => {
      const { token, password } = await signUp();
      const body = { currentPassword: password, newPassword: 'another horse battery' };
      return as(token)('POST', '/dashboard/me/password', body);
    },
  ],
  'apiKeys.create': ['api_key.create', () => call('POST', '/dashboard/api-keys', { name: 'Script', scopes: ['read'] })],
  'apiKeys.delete': [
    'api_key.delete',
    async () => {
      const { body } = await call('POST', '/dashboard/api-keys', { name: 'Script', scopes: ['read'] });
      return call('DELETE', `/dashboard/api-keys/${body.apiKey.id}`);
    },
  ],
  'agents.createToken': [
    'agent_token.create',
    () => call('POST', '/api/v1/agent-tokens', { name: 'Server', region: 'office' }),
  ],
  'agents.deleteToken': [
    'agent_token.delete',
    async () => {
      const { body } = await call('POST', '/api/v1/agent-tokens', { name: 'Server', region: 'office' });
      return call('DELETE', `/api/v1/agent-tokens/${body.agentToken.id}`);
    },
  ],
  'monitors.create': ['monitor.create', () => call('POST', '/dashboard/monitors', httpMonitor())],
  'monitors.update': [
    'monitor.update',
    async () => call('PUT', `/dashboard/monitors/${await newMonitor()}`, { name: 'Another name' }),
  ],
  'monitors.parent.set': [
    'monitor.update',
    async () => call('PUT', `/api/v1/monitors/${await newMonitor()}/parent`, { parentId: await newMonitor() }),
  ],
  'monitors.bulk': [
    'monitor.update',
    async () => call('POST', '/api/v1/monitors/bulk', { action: 'pause', ids: [await newMonitor()] }),
  ],
  'monitors.delete': ['monitor.delete', async () => call('DELETE', `/dashboard/monitors/${await newMonitor()}`)],
  'monitors.create /api/v1': ['monitor.create', () => call('POST', '/api/v1/monitors', httpMonitor())],
  'monitors.updateByScript': [
    'monitor.update',
    async () => call('PUT', `/api/v1/monitors/${await newMonitor()}`, { isActive: false }),
  ],
  'monitors.delete /api/v1': ['monitor.delete', async () => call('DELETE', `/api/v1/monitors/${await newMonitor()}`)],
  'monitors.deleteByExternalId': [
    'monitor.delete',
    async () => {
      await call('POST', '/api/v1/monitors', httpMonitor({ externalId: 'gone' }));
      return call('DELETE', '/api/v1/monitors/by-external-id/gone');
    },
  ],
  'monitors.put': ['monitor.create', () => call('PUT', '/api/v1/monitors/by-external-id/shop', httpMonitor())],
  'monitors.putMany': [
    'monitor.create',
    () => call('PUT', '/api/v1/monitors/by-external-id', { monitors: [httpMonitor({ externalId: 'shop-many' })] }),
  ],
  'exclusions.create': [
    'exclusion.create',
    async () => call('POST', `/api/v1/monitors/${await newMonitor()}/exclusions`, exclusion),
  ],
  'exclusions.delete': [
    'exclusion.delete',
    async () => {
      const path = `/api/v1/monitors/${await newMonitor()}/exclusions`;
      const { body } = await call('POST', path, exclusion);
      return call('DELETE', `${path}/${body.exclusion.id}`);
    },
  ],
  'incidents.create': ['incident.create', () => call('POST', '/api/v1/incidents', { title: 'Manual' })],
  'incidents.update': [
    'incident.update',
    async () => call('PUT', `/api/v1/incidents/${await newIncident()}`, { cause: 'A cable' }),
  ],
  'incidents.edit': [
    'incident.update',
    async () => call('PATCH', `/api/v1/incidents/${await newIncident()}`, { severity: 'minor' }),
  ],
  'incidents.acknowledge': [
    'incident.acknowledge',
    async () => call('POST', `/api/v1/incidents/${await newIncident()}/acknowledge`),
  ],
  'incidents.resolve': [
    'incident.resolve',
    async () => call('POST', `/api/v1/incidents/${await newIncident()}/resolve`),
  ],
  'incidents.bulk': [
    'incident.resolve',
    async () => call('POST', '/api/v1/incidents/bulk', { action: 'resolve', ids: [await newIncident()] }),
  ],
  'incidents.reopen': [
    'incident.reopen',
    async () => {
      const id = await newIncident();
      await call('POST', `/api/v1/incidents/${id}/resolve`);
      return call('POST', `/api/v1/incidents/${id}/reopen`);
    },
  ],
  'incidents.putPostmortem': [
    'incident.postmortem',
    async () => call('PUT', `/api/v1/incidents/${await newIncident()}/postmortem`, { body: 'Why' }),
  ],
  'incidents.deletePostmortem': [
    'incident.postmortem_delete',
    async () => {
      const path = `/api/v1/incidents/${await newIncident()}/postmortem`;
      await call('PUT', path, { body: 'Why' });
      return call('DELETE', path);
    },
  ],
  'incidents.share': ['incident.share', async () => call('POST', `/api/v1/incidents/${await newIncident()}/share`)],
  'incidents.unshare': [
    'incident.unshare',
    async () => {
      const path = `/api/v1/incidents/${await newIncident()}/share`;
      await call('POST', path);
      return call('DELETE', path);
    },
  ],
  'incidents.addUpdate': [
    'incident.note',
    async () => call('POST', `/api/v1/incidents/${await newIncident()}/updates`, { message: 'We are looking.' }),
  ],
  'incidents.editUpdate': ['incident.note_update', async () => call('PATCH', await newNote(), { isPublic: true })],
  'incidents.deleteUpdate': ['incident.note_delete', async () => call('DELETE', await newNote())],
  'maintenance.create': ['maintenance_window.create', () => call('POST', '/api/v1/maintenance-windows', maintenance)],
  'maintenance.start': [
    'maintenance_window.create',
    () => call('POST', '/api/v1/maintenance-windows/start', { minutes: 5 }),
  ],
  'maintenance.update': [
    'maintenance_window.update',
    async () => call('PUT', `/api/v1/maintenance-windows/${await newWindow()}`, { title: 'More work' }),
  ],
  'maintenance.end': [
    'maintenance_window.update',
    async () => call('POST', `/api/v1/maintenance-windows/${await runningWindow()}/end`),
  ],
  'maintenance.extend': [
    'maintenance_window.update',
    async () => call('POST', `/api/v1/maintenance-windows/${await runningWindow()}/extend`, { minutes: 5 }),
  ],
  'maintenance.skip': ['maintenance_window.skip', async () => skip(await dailyWindow())],
  'maintenance.unskip': [
    'maintenance_window.unskip',
    async () => {
      const window = await dailyWindow();
      await skip(window);
      return skip(window, 'unskip');
    },
  ],
  'maintenance.delete': [
    'maintenance_window.delete',
    async () => call('DELETE', `/api/v1/maintenance-windows/${await newWindow()}`),
  ],
  'incidents.acknowledgeByLink': [
    'incident.acknowledge',
    async () => {
      const target = { incidentId: await newIncident(), opening: 0 };
      const link = { target, channelId: await newChannel() };
      return rest('POST', `/auth/acknowledgment/${newAcknowledgeToken(link)}`);
    },
  ],
  'summaries.update': ['member.weekly_summary', () => call('PATCH', '/api/v1/me/weekly-summary', { isActive: true })],
  'summaries.updateReport': [
    'member.monthly_report',
    () => call('PATCH', '/api/v1/me/monthly-report', { isActive: true }),
  ],
  'summaries.unsubscribe': [
    'member.weekly_summary',
    async () => {
      const other = await signUp();
      await as(other.token)('PATCH', '/api/v1/me/weekly-summary', { isActive: true });
      return rest('POST', `/auth/weekly-summary/${newUnsubscribeToken('weekly', other)}`);
    },
  ],
  'onCall.create': ['on_call_schedule.create', () => call('POST', schedules, schedule())],
  'onCall.update': [
    'on_call_schedule.update',
    async () => call('PUT', `${schedules}/${await newSchedule()}`, { name: 'Night' }),
  ],
  'onCall.delete': ['on_call_schedule.delete', async () => call('DELETE', `${schedules}/${await newSchedule()}`)],
  'onCall.createOverride': [
    'on_call_override.create',
    async () => call('POST', `${schedules}/${await newSchedule()}/overrides`, cover()),
  ],
  'onCall.updateOverride': [
    'on_call_override.update',
    async () => {
      const path = `${schedules}/${await newSchedule()}/overrides`;
      const { body } = await call('POST', path, cover());
      return call('PATCH', `${path}/${body.override.id}`, { reason: 'Vacation' });
    },
  ],
  'onCall.deleteOverride': [
    'on_call_override.delete',
    async () => {
      const path = `${schedules}/${await newSchedule()}/overrides`;
      const { body } = await call('POST', path, cover());
      return call('DELETE', `${path}/${body.override.id}`);
    },
  ],
  'imports.start': ['import.start', async () => call('POST', `${imports}/${await newImport()}/start`, {})],
  'imports.undo': [
    'import.undo',
    async () => {
      const path = `${imports}/${await newImport()}`;
      await call('POST', `${path}/start`, {});
      return call('POST', `${path}/undo`, {});
    },
  ],
  'savedViews.create': ['saved_view.create', () => call('POST', views, { name: 'Payments', query: 'tag=payments' })],
  'savedViews.update': [
    'saved_view.update',
    async () => call('PATCH', `${views}/${await newView()}`, { isDefault: true }),
  ],
  'savedViews.delete': ['saved_view.delete', async () => call('DELETE', `${views}/${await newView()}`)],
  'calendarFeeds.create': ['maintenance_feed.create', () => call('POST', feeds, { kind: 'maintenance' })],
  'calendarFeeds.delete': [
    'on_call_feed.delete',
    async () => call('DELETE', `${feeds}/${(await call('POST', feeds, {})).body.feed.id}`),
  ],
  'escalationPolicies.create': ['escalation_policy.create', () => call('POST', policies, policy())],
  'escalationPolicies.update': [
    'escalation_policy.update',
    async () => call('PUT', `${policies}/${await newPolicy()}`, { repeat: 3 }),
  ],
  'escalationPolicies.delete': [
    'escalation_policy.delete',
    async () => call('DELETE', `${policies}/${await newPolicy()}`),
  ],
  'contactMethods.create': ['contact_method.create', () => call('POST', '/api/v1/me/contact-methods', phone)],
  'contactMethods.update': [
    'contact_method.update',
    async () => call('PUT', `/api/v1/me/contact-methods/${await newContactMethod()}`, { delayMinutes: 7 }),
  ],
  'contactMethods.reorder': [
    'contact_method.reorder',
    async () => {
      await newContactMethod();
      await newContactMethod();
      const { body } = await call('GET', '/api/v1/me/contact-methods');
      const ids = body.contactMethods.map(({ id }: { id: string }) => id).reverse();
      return call('PUT', '/api/v1/me/contact-methods/order', { ids });
    },
  ],
  'contactMethods.delete': [
    'contact_method.delete',
    async () => call('DELETE', `/api/v1/me/contact-methods/${await newContactMethod()}`),
  ],
  'notifications.create': ['channel.create', () => call('POST', '/dashboard/notification-channels', hook)],
  'notifications.update': [
    'channel.update',
    async () => call('PUT', `/dashboard/notification-channels/${await newChannel()}`, { name: 'Other' }),
  ],
  'notifications.templates.set': [
    'channel.update',
    async () => {
      const mail = { type: 'email', name: 'Mail', config: { to: 'mail@example.test' } };
      const { id } = (await call('POST', '/dashboard/notification-channels', mail)).body.channel;
      const templates = [{ event: 'incident.opened', subject: '{{headline}}!', body: null }];
      return call('PUT', `/dashboard/notification-channels/${id}/templates`, { templates });
    },
  ],
  'notifications.replay': [
    'channel.replay',
    async () => {
      const { id, channelId } = await failedDelivery();
      return call('POST', `/api/v1/channels/${channelId}/deliveries/${id}/replay`);
    },
  ],
  'notifications.replayFailed': [
    'channel.replay',
    async () => {
      const { channelId } = await failedDelivery();
      const span = { from: '2026-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
      return call('POST', `/api/v1/channels/${channelId}/deliveries/replay`, span);
    },
  ],
  'notifications.rotateSecret': [
    'channel.rotate_secret',
    async () => call('POST', `/api/v1/channels/${await newChannel()}/rotate-secret`, {}),
  ],
  'notifications.endPreviousSecret': [
    'channel.end_secret',
    async () => {
      const id = await newChannel();
      await call('POST', `/api/v1/channels/${id}/rotate-secret`, {});
      return call('DELETE', `/api/v1/channels/${id}/previous-secret`);
    },
  ],
  'notifications.setFallback': [
    'channel.update',
    async () => {
      const fallbackChannelId = await newChannel();
      return call('PUT', `/api/v1/channels/${await newChannel()}/fallback`, { fallbackChannelId });
    },
  ],
  'notifications.teamFallback.set': [
    'channel.fallback',
    async () => call('PUT', '/api/v1/team/fallback-channel', { fallbackChannelId: await newChannel() }),
  ],
  'notifications.rules.update': [
    'channel.update',
    async () => call('PATCH', `/api/v1/channels/${await newChannel()}/rules`, { minSeverity: 'critical' }),
  ],
  'notifications.grouping.update': ['team.update', () => call('PATCH', '/api/v1/team/alert-grouping', { seconds: 45 })],
  'notifications.delete': [
    'channel.delete',
    async () => call('DELETE', `/dashboard/notification-channels/${await newChannel()}`),
  ],
  'notifications.confirmRecipient': [
    'channel.confirm',
    async () => {
      const address = 'on-call@example.test';
      await call('POST', '/dashboard/notification-channels', { type: 'email', name: 'Mail', config: { to: address } });
      return rest('POST', `/auth/channel-confirmation/${newConfirmationToken({ teamId: person.teamId, address })}`);
    },
  ],
  'statusPages.create': [
    'status_page.create',
    () => call('POST', '/dashboard/status-pages', { slug: 'northwind', title: 'Northwind' }),
  ],
  'statusPages.update': [
    'status_page.update',
    async () => call('PUT', `/dashboard/status-pages/${await newPage()}`, { title: 'Southwind' }),
  ],
  'statusPages.delete': [
    'status_page.delete',
    async () => call('DELETE', `/dashboard/status-pages/${await newPage()}`),
  ],
  'statusPages.setLogo': [
    'status_page.set_logo',
    async () => call('PUT', `/dashboard/status-pages/${await newPage()}/logo`, { data: png }),
  ],
  'statusPages.removeLogo': [
    'status_page.remove_logo',
    async () => {
      const path = `/dashboard/status-pages/${await newPage()}/logo`;
      await call('PUT', path, { data: png });
      return call('DELETE', path);
    },
  ],
  'statusPages.create /api/v1': [
    'status_page.create',
    () => call('POST', '/api/v1/status-pages', { slug: 'southwind', title: 'Southwind' }),
  ],
  'statusPages.update /api/v1': [
    'status_page.update',
    async () => call('PUT', `/api/v1/status-pages/${await newPage()}`, { title: 'Southwind' }),
  ],
  'statusPages.delete /api/v1': [
    'status_page.delete',
    async () => call('DELETE', `/api/v1/status-pages/${await newPage()}`),
  ],
  'statusPageComponents.create': [
    'status_page_component.create',
    async () => call('POST', components, { statusPageId: await newPage(), name: 'Phone' }),
  ],
  'statusPageComponents.update': [
    'status_page_component.update',
    async () => call('PUT', `${components}/${await newComponent()}`, { name: 'Hotline' }),
  ],
  'statusPageComponents.delete': [
    'status_page_component.delete',
    async () => call('DELETE', `${components}/${await newComponent()}`),
  ],
  'billing.checkout': ['billing.checkout', () => call('POST', '/dashboard/billing/checkout', { plan: 'pro' })],
  'billing.portal': [
    'billing.portal',
    async () => {
      await buy(person);
      return call('POST', '/dashboard/billing/portal');
    },
  ],
  'users.forceDelete': [
    'user.force_delete',
    async () => {
      const { userId } = await signUp();
      return as(admin.token)('POST', `/admin/users/${userId}/force-delete`, { reason: 'A test' });
    },
  ],
  'users.createPasswordReset': [
    'user.password_reset_link',
    async () => as(admin.token)('POST', `/admin/users/${(await signUp()).userId}/password-reset`),
  ],
  'teams.create': ['team.create', () => call('POST', '/dashboard/teams', { name: 'Second' })],
  'teams.rename': ['team.update', () => call('PATCH', '/dashboard/team', { name: `Team ${crypto.randomUUID()}` })],
  'teamRemoval.delete': [
    'team.delete',
    async () => {
      const { token, teamId } = await signUp();
      await as(token)('PATCH', '/dashboard/team', { name: 'Ended' });
      return as(token)('POST', '/dashboard/team/delete', { teamId, name: 'Ended' });
    },
  ],
  'teams.members.update': [
    'member.update',
    async () => call('PATCH', `/dashboard/team/members/${await newMember()}`, { role: 'viewer' }),
  ],
  'teams.members.remove': ['member.remove', async () => call('DELETE', `/dashboard/team/members/${await newMember()}`)],
  'teams.invitations.create': ['invitation.create', () => call('POST', '/dashboard/team/invitations', guest)],
  'teams.invitations.resend': [
    'invitation.resend',
    async () => call('POST', `/dashboard/team/invitations/${(await invite()).id}/resend`),
  ],
  'teams.invitations.revoke': [
    'invitation.revoke',
    async () => call('DELETE', `/dashboard/team/invitations/${(await invite()).id}`),
  ],
  'teams.invitations.accept': [
    'invitation.accept',
    async () => as((await signUp()).token)('POST', `/auth/invite/${(await invite()).token}/accept`),
  ],
};

const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>;
const mutations = Object.keys(procedures).filter((name) => procedures[name]?._def.type === 'mutation');

describe('every mutation', () => {
  it('is in the table above, or among the exceptions', () => {
    expect(mutations.filter((name) => !changes[name] && !withoutEntry.includes(name))).toEqual([]);
    const named = Object.keys(changes).map((row) => row.split(' ')[0] ?? '');
    expect([...named, ...withoutEntry].filter((name) => !mutations.includes(name))).toEqual([]);
  });

  it.each(Object.entries(changes))('writes an audit entry: %s', async (_name, [action, run]) => {
    await db.team.update({ where: { id: person.teamId }, data: { plan: 'business', stripeSubscriptionId: null } });
    const from = new Date();
    const answer = await run();
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    const entries = await db.auditEntry.findMany({ where: { at: { gte: from } }, orderBy: { id: 'asc' } });
    expect(entries.map((entry) => entry.action)).toContain(action);
    expect(entries.at(-1)).toMatchObject({ action, requestId: expect.any(String), address: expect.any(String) });
  });
});
