import type { ErrorCode } from '@/server/platform/errors';
import { newLink } from '@/tests/support/account-links';
import { join, rest, signUp } from '@/tests/support/rest';
import type { World } from './world';
import * as world from './world';

/** A call that succeeds: its path parameters and its body. */
interface Ready {
  params?: Record<string, string>;
  body?: Record<string, unknown>;
  query?: Record<string, string>;
  /** Sent instead of the owner's token or key. */
  token?: string;
}

/** What the table knows about one operation. The rest follows from the document. */
export interface Row {
  /** Creates what the call needs. Called for every attempt, because a call may use it up. */
  ready: (world: World) => Ready | Promise<Ready>;
  /** The code for an unknown ID and for another team's; NOT_FOUND by default. */
  unknown?: ErrorCode;
}

const nothing: Row = { ready: () => ({}) };

/** A row about one object that is created first. */
function about(make: (world: World) => Promise<{ id: string }>, body?: Record<string, unknown>): Row {
  return { ready: async (given) => ({ params: { id: (await make(given)).id }, ...(body && { body }) }) };
}

const monitor = {
  type: 'http',
  name: 'Shop',
  config: { url: 'http://127.0.0.1:9/' },
  intervalSeconds: 60,
  tags: ['shop'],
};
const logo = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const password = 'correct horse battery';

const monitors = (prefix: string): Record<string, Row> => ({
  [`GET ${prefix}/monitors`]: nothing,
  [`POST ${prefix}/monitors`]: { ready: () => ({ body: monitor }) },
  [`GET ${prefix}/monitors/{id}`]: about(world.makeMonitor),
  [`PUT ${prefix}/monitors/{id}`]: about(world.makeMonitor, { name: 'Shop 2', isActive: false, intervalSeconds: 90 }),
  [`DELETE ${prefix}/monitors/{id}`]: about(world.makeMonitor),
  'GET /api/v1/monitor-parents': nothing,
  'GET /api/v1/monitors/{id}/parent': about(world.makeMonitor),
  'PUT /api/v1/monitors/{id}/parent': about(world.makeMonitor, { parentId: null }),
});

const channelsAt = (all: string): Record<string, Row> => ({
  [`GET ${all}`]: nothing,
  [`POST ${all}`]: { ready: () => ({ body: world.channelBody }) },
  [`GET ${all}/{id}`]: about(world.makeChannel),
  [`PUT ${all}/{id}`]: about(world.makeChannel, { name: 'All', config: { to: 'all@example.test' } }),
  [`DELETE ${all}/{id}`]: about(world.makeChannel),
  [`POST ${all}/{id}/test`]: about(world.makeChannel),
  [`POST ${all}/{id}/resend-confirmation`]: about(world.makeChannel),
  [`POST ${all}/preview`]: {
    ready: () => ({ body: { type: 'email', config: { to: 'all@example.test' }, subject: '{{headline}}!' } }),
  },
  [`GET ${all}/{id}/templates`]: about(world.makeChannel),
  [`PUT ${all}/{id}/templates`]: about(world.makeChannel, {
    templates: [{ event: 'incident.opened', subject: '{{monitor.name}}', body: null }],
  }),
  [`GET ${all}/{id}/deliveries`]: about(world.makeChannel),
});

const feeds = (path: string): Record<string, Row> => ({
  [`GET ${path}`]: nothing,
  [`POST ${path}`]: { ready: async (given) => ({ body: await world.feedBody(given) }) },
  [`DELETE ${path}/{id}`]: about(world.makeOnlyFeed),
});

const postmortem = '/api/v1/incidents/{id}/postmortem';
const byExternalId = '/api/v1/monitors/by-external-id/{externalId}';
/** A row about a monitor identified by its externalId. */
const named: Row = { ready: async (given) => ({ params: { externalId: await world.makeNamedMonitor(given) } }) };
const channels = '/api/v1/channels';
const schedules = '/api/v1/on-call/schedules';
const policies = '/api/v1/escalation-policies';
const ofDelivery: Row = {
  ready: async (given) => {
    const { id: deliveryId, channelId: id } = await world.makeDelivery(given);
    return { params: { id, deliveryId } };
  },
};
const contactMethods = '/api/v1/me/contact-methods';
const exclusions = '/api/v1/monitors/{id}/exclusions';
const windows = '/api/v1/maintenance-windows';
const statusPages = (prefix: string): Record<string, Row> => {
  const pages = `${prefix}/status-pages`;
  return {
    [`GET ${pages}`]: nothing,
    [`POST ${pages}`]: { ready: () => ({ body: world.pageBody() }) },
    [`GET ${pages}/{id}`]: about(world.makePage),
    [`PUT ${pages}/{id}`]: about(world.makePage, { title: 'Shop 2', isPublic: false, monitorIds: [], order: [] }),
    [`DELETE ${pages}/{id}`]: about(world.makePage),
    [`PUT ${pages}/{id}/logo`]: about(world.makePage, { data: logo }),
    [`DELETE ${pages}/{id}/logo`]: about(world.makePage),
  };
};
const components = '/api/v1/status-page-components';
const forceDelete = '/admin/users/{userId}/force-delete';

const updateMember: Row = {
  ready: async ({ owner }) => ({
    params: { userId: (await join(owner, 'viewer')).userId },
    body: { role: 'member' },
  }),
  unknown: 'MEMBER_NOT_FOUND',
};
const removeMember: Row = {
  ready: async ({ owner }) => ({ params: { userId: (await join(owner, 'viewer')).userId } }),
};
const invite: Row = {
  ready: () => ({ body: { email: `${world.fresh('kim')}@example.test`, role: 'member' } }),
};

/** One row per operation. */
export const rows: Record<string, Row> = {
  ...monitors('/dashboard'),
  ...monitors('/api/v1'),
  'POST /dashboard/monitors/{id}/check': about(world.makeMonitor),
  'POST /api/v1/monitors/{id}/check': about(world.makeMonitor),
  'GET /api/v1/monitor-tags': nothing,
  'POST /api/v1/monitors/test': {
    ready: async () => ({ body: { type: 'tcp', config: { host: '127.0.0.1', port: 9 } } }),
  },
  'GET /api/v1/overview': nothing,
  'GET /api/v1/report': { ready: () => ({ query: { firstDay: '2026-01-01', lastDay: '2026-01-31' } }) },
  'GET /api/v1/saved-views': nothing,
  'POST /api/v1/saved-views': { ready: async () => ({ body: await world.viewBody() }) },
  'PATCH /api/v1/saved-views/{id}': about(world.makeView, { query: 'sort=name' }),
  'DELETE /api/v1/saved-views/{id}': about(world.makeView),
  'GET /api/v1/regions': nothing,
  'GET /api/v1/monitors/{id}/detail': about(world.makeMonitor),
  'POST /api/v1/monitors/bulk': {
    ready: async (given) => ({ body: { action: 'pause', ids: [(await world.makeMonitor(given)).id] } }),
  },
  'GET /api/v1/monitors/{id}/checks': about(world.makeMonitor),
  'GET /api/v1/monitors/{id}/uptime': about(world.makeMonitor),
  'GET /api/v1/monitors/{id}/latency': about(world.makeMonitor),
  'GET /api/v1/monitors/{id}/chart': {
    ready: async (given) => ({
      params: { id: (await world.makeMonitor(given)).id },
      query: { since: '2026-01-02T03:00:00Z', until: '2026-01-02T05:00:00Z' },
    }),
  },
  [`GET ${exclusions}`]: about(world.makeMonitor),
  [`POST ${exclusions}`]: about(world.makeMonitor, world.exclusionBody),
  [`DELETE ${exclusions}/{exclusionId}`]: {
    ready: async (given) => {
      const { id: exclusionId, monitorId: id } = await world.makeExclusion(given);
      return { params: { id, exclusionId } };
    },
  },
  [`GET ${byExternalId}`]: named,
  'PUT /api/v1/monitors/by-external-id': {
    ready: () => ({ body: { monitors: [{ ...monitor, externalId: world.fresh('shop') }] } }),
  },
  [`PUT ${byExternalId}`]: { ready: () => ({ params: { externalId: world.fresh('shop') }, body: monitor }) },
  [`DELETE ${byExternalId}`]: named,

  'GET /api/v1/incidents': nothing,
  'GET /api/v1/incident-counts': nothing,
  'POST /api/v1/incidents': {
    ready: async (given) => ({
      body: {
        title: 'Late',
        cause: 'Queue',
        type: 'manual',
        monitorId: (await world.makeMonitor(given)).id,
        componentIds: [(await world.makeComponent(given)).id],
      },
    }),
  },
  'GET /api/v1/incidents/{id}': about(world.makeIncident),
  'GET /api/v1/incidents/{id}/detail': about(world.makeIncident),
  'GET /api/v1/incidents/{id}/evidence': about(world.makeIncident),
  'PUT /api/v1/incidents/{id}': about(world.makeIncident, { title: 'Later', cause: 'Queue' }),
  'PATCH /api/v1/incidents/{id}': about(world.makeIncident, { severity: 'minor', cause: null }),
  'POST /api/v1/incidents/{id}/acknowledge': about(world.makeIncident),
  'POST /api/v1/incidents/{id}/resolve': about(world.makeIncident),
  'POST /api/v1/incidents/bulk': {
    ready: async (given) => ({ body: { action: 'acknowledge', ids: [(await world.makeIncident(given)).id] } }),
  },
  'GET /api/v1/me/weekly-summary': nothing,
  'PATCH /api/v1/me/weekly-summary': { ready: () => ({ body: { isActive: false } }) },
  'GET /api/v1/me/monthly-report': nothing,
  'PATCH /api/v1/me/monthly-report': { ready: () => ({ body: { isActive: false } }) },
  'GET /auth/weekly-summary/{token}': { ready: (given) => ({ params: { token: world.makeUnsubscribeLink(given) } }) },
  'POST /auth/weekly-summary/{token}': { ready: (given) => ({ params: { token: world.makeUnsubscribeLink(given) } }) },
  'GET /auth/acknowledgment/{token}': {
    ready: async (given) => ({ params: { token: await world.makeAcknowledgeLink(given) } }),
  },
  'POST /auth/acknowledgment/{token}': {
    ready: async (given) => ({ params: { token: await world.makeAcknowledgeLink(given) } }),
  },
  'POST /api/v1/incidents/{id}/reopen': about(world.makeResolvedIncident),
  [`GET ${postmortem}`]: about(world.makeIncident),
  [`PUT ${postmortem}`]: about(world.makeIncident, { body: '# Summary', isPublished: true }),
  'POST /api/v1/postmortem-preview': { ready: () => ({ body: { body: '# Summary' } }) },
  [`DELETE ${postmortem}`]: about(world.makePostmortem),
  'POST /api/v1/incidents/{id}/share': about(world.makeIncident),
  'DELETE /api/v1/incidents/{id}/share': about(world.makeIncident),
  'GET /auth/shared-incident/{token}': {
    ready: async (given) => ({ params: { token: await world.makeSharedIncident(given) } }),
  },
  'GET /api/v1/incidents/{id}/updates': about(world.makeIncident),
  'POST /api/v1/incidents/{id}/updates': about(world.makeIncident, { message: 'We look at it.' }),
  'PATCH /api/v1/incidents/{id}/updates/{updateId}': {
    ready: async (given) => ({ params: await world.makeNote(given), body: { isPublic: true } }),
  },
  'DELETE /api/v1/incidents/{id}/updates/{updateId}': {
    ready: async (given) => ({ params: await world.makeNote(given) }),
  },

  [`GET ${windows}`]: nothing,
  [`POST ${windows}`]: { ready: () => ({ body: { ...world.windowBody, description: 'Rack 7' } }) },
  [`POST ${windows}/start`]: { ready: () => ({ body: { title: 'Deployment', minutes: 15 } }) },
  'GET /api/v1/maintenance-occurrences': nothing,
  'GET /api/v1/maintenance-preview': { ready: () => ({ query: world.previewQuery }) },
  [`POST ${windows}/{id}/end`]: about(world.makeRunningWindow),
  [`POST ${windows}/{id}/extend`]: about(world.makeRunningWindow, { minutes: 30 }),
  [`POST ${windows}/{id}/skip`]: about(world.makeDailyWindow, { startsAt: world.windowBody.startsAt }),
  [`POST ${windows}/{id}/unskip`]: about(world.makeDailyWindow, { startsAt: world.windowBody.startsAt }),
  [`GET ${windows}/{id}`]: about(world.makeWindow),
  [`PUT ${windows}/{id}`]: about(world.makeWindow, world.windowBody),
  [`DELETE ${windows}/{id}`]: about(world.makeWindow),

  ...channelsAt('/dashboard/notification-channels'),
  ...channelsAt(channels),
  [`POST ${channels}/test`]: { ready: () => ({ body: world.testBody }) },
  'GET /dashboard/push-key': nothing,
  'GET /api/v1/channels/{id}/rules': about(world.makeChannel),
  'PATCH /api/v1/channels/{id}/rules': about(world.makeChannel, { minSeverity: 'warning' }),
  'GET /api/v1/team/alert-grouping': nothing,
  'PATCH /api/v1/team/alert-grouping': { ready: () => ({ body: { seconds: 30 } }) },
  'GET /auth/channel-confirmation/{token}': {
    ready: async (given) => ({ params: { token: await world.makeConfirmation(given) } }),
  },
  'POST /auth/channel-confirmation/{token}': {
    ready: async (given) => ({ params: { token: await world.makeConfirmation(given) } }),
  },
  [`GET ${channels}/{id}/deliveries/{deliveryId}`]: ofDelivery,
  [`POST ${channels}/{id}/deliveries/{deliveryId}/replay`]: ofDelivery,
  [`POST ${channels}/{id}/deliveries/replay`]: about(world.makeChannel, {
    from: '2026-01-02T03:00:00Z',
    to: '2026-01-02T05:00:00Z',
  }),
  [`POST ${channels}/{id}/rotate-secret`]: about(world.makeWebhook, { graceHours: 48 }),
  [`DELETE ${channels}/{id}/previous-secret`]: about(world.makeWebhook),
  [`PUT ${channels}/{id}/fallback`]: {
    ready: async (given) => {
      const fallbackChannelId = (await world.makeChannel(given)).id;
      return { params: { id: (await world.makeChannel(given)).id }, body: { fallbackChannelId } };
    },
  },
  'GET /api/v1/team/fallback-channel': nothing,
  'PUT /api/v1/team/fallback-channel': { ready: () => ({ body: { fallbackChannelId: null } }) },
  'GET /api/v1/on-call': nothing,
  'GET /api/v1/on-call/people': nothing,
  [`GET ${schedules}`]: nothing,
  [`POST ${schedules}`]: { ready: (given) => ({ body: world.scheduleBody(given) }) },
  [`GET ${schedules}/{id}`]: about(world.makeSchedule),
  [`GET ${schedules}/{id}/timeline`]: about(world.makeSchedule),
  [`PUT ${schedules}/{id}`]: about(world.makeSchedule, { name: 'Night', timezone: 'Europe/Berlin' }),
  [`DELETE ${schedules}/{id}`]: about(world.makeSchedule),
  [`POST ${schedules}/{id}/overrides`]: {
    ready: async (given) => {
      const { id } = await world.makeSchedule(given);
      return { params: { id }, body: { userId: given.owner.userId, ...world.overrideTimes } };
    },
  },
  [`PATCH ${schedules}/{id}/overrides/{overrideId}`]: {
    ready: async (given) => {
      const { id: overrideId, scheduleId: id } = await world.makeOverride(given);
      return { params: { id, overrideId }, body: { userId: given.owner.userId, endsAt: '2100-01-02T06:00:00Z' } };
    },
  },
  [`DELETE ${schedules}/{id}/overrides/{overrideId}`]: {
    ready: async (given) => {
      const { id: overrideId, scheduleId: id } = await world.makeOverride(given);
      return { params: { id, overrideId } };
    },
  },
  'GET /api/v1/imports': nothing,
  'POST /api/v1/imports': { ready: () => ({ body: world.importBody }) },
  'GET /api/v1/imports/{id}': about(world.makeImport),
  'POST /api/v1/imports/{id}/parts': about(world.makeImport, { position: 0, data: 'e30=' }),
  'POST /api/v1/imports/{id}/read': about(world.makeUploadedImport, { columns: { url: 'URL' } }),
  'GET /api/v1/imports/{id}/preview': about(world.makeReadImport),
  'POST /api/v1/imports/{id}/start': about(world.makeReadImport, { startPaused: true }),
  'POST /api/v1/imports/{id}/run': about(world.makeStartedImport),
  'POST /api/v1/imports/{id}/undo': about(world.makeStartedImport, { includeChanged: false }),
  ...feeds('/api/v1/me/calendar-feeds'),
  ...feeds('/api/v1/me/on-call-feeds'),
  [`GET ${policies}`]: nothing,
  [`POST ${policies}`]: { ready: (given) => ({ body: world.policyBody(given) }) },
  [`GET ${policies}/{id}`]: about(world.makePolicy),
  [`PUT ${policies}/{id}`]: about(world.makePolicy, { name: 'Night', repeat: 2, minSeverity: 'critical' }),
  [`DELETE ${policies}/{id}`]: about(world.makePolicy),
  [`GET ${contactMethods}`]: nothing,
  [`POST ${contactMethods}`]: { ready: () => ({ body: world.contactMethodBody }) },
  [`PUT ${contactMethods}/order`]: {
    ready: async (given) => ({ body: { ids: [(await world.makeOnlyContactMethod(given)).id] } }),
  },
  [`PUT ${contactMethods}/{id}`]: about(world.makeOnlyContactMethod, { name: 'Mail', delayMinutes: 3 }),
  [`DELETE ${contactMethods}/{id}`]: about(world.makeOnlyContactMethod),
  [`POST ${contactMethods}/test`]: { ready: () => ({ body: world.testBody }) },
  [`POST ${contactMethods}/{id}/test`]: about(world.makeOnlyContactMethod),

  ...statusPages('/dashboard'),
  ...statusPages('/api/v1'),
  [`GET ${components}`]: nothing,
  [`POST ${components}`]: {
    ready: async (given) => ({
      body: { statusPageId: (await world.makePage(given)).id, name: 'Support phone line', description: 'Weekdays' },
    }),
  },
  [`GET ${components}/{id}`]: about(world.makeComponent),
  [`PUT ${components}/{id}`]: about(world.makeComponent, { name: 'Hotline', description: '' }),
  [`DELETE ${components}/{id}`]: about(world.makeComponent),

  'GET /dashboard/api-keys': nothing,
  'POST /dashboard/api-keys': { ready: () => ({ body: { name: 'script', scopes: ['read'] } }) },
  'DELETE /dashboard/api-keys/{id}': about(world.makeApiKey),

  'POST /dashboard/teams': { ready: async () => ({ body: { name: 'Second' }, token: (await signUp()).token }) },
  'PATCH /dashboard/team': { ready: () => ({ body: { name: 'Contract' } }) },
  'POST /dashboard/team/delete': {
    ready: async () => {
      const { token } = await signUp();
      const { body } = await rest('PATCH', '/dashboard/team', { token, body: { name: world.fresh('Ended') } });
      return { body: { teamId: body.team.id, name: body.team.name }, token };
    },
  },
  'GET /dashboard/team/members': nothing,
  'GET /api/v1/members': nothing,
  'PATCH /dashboard/team/members/{userId}': updateMember,
  'DELETE /dashboard/team/members/{userId}': removeMember,
  'GET /dashboard/team/invitations': nothing,
  'POST /dashboard/team/invitations': invite,
  'GET /api/v1/agents': nothing,
  'GET /api/v1/agent-tokens': nothing,
  'POST /api/v1/agent-tokens': { ready: () => ({ body: { name: 'office server', region: 'office' } }) },
  'DELETE /api/v1/agent-tokens/{id}': about(world.makeAgentToken),
  'GET /api/v1/api-keys': nothing,
  'DELETE /api/v1/api-keys/{id}': about(world.makeApiKey),
  'PATCH /api/v1/team': { ready: () => ({ body: { name: 'Contract' } }) },
  'PATCH /api/v1/members/{userId}': updateMember,
  'DELETE /api/v1/members/{userId}': removeMember,
  'GET /api/v1/invitations': nothing,
  'POST /api/v1/invitations': invite,
  'POST /api/v1/invitations/{id}/resend': about(world.makeInvitation),
  'DELETE /api/v1/invitations/{id}': about(world.makeInvitation),
  'GET /api/v1/audit-log': nothing,
  'POST /dashboard/team/invitations/{id}/resend': about(world.makeInvitation),
  'DELETE /dashboard/team/invitations/{id}': about(world.makeInvitation),

  'POST /auth/signup': {
    ready: () => ({ body: { email: `${world.fresh('new')}@example.test`, password, name: 'Kim', teamName: 'Shop' } }),
  },
  'POST /auth/login': { ready: async () => ({ body: { email: (await signUp()).email, password } }) },
  'POST /auth/refresh': { ready: async () => ({ body: { refreshToken: (await signUp()).refreshToken } }) },
  'POST /auth/logout': { ready: async () => ({ body: { refreshToken: (await signUp()).refreshToken } }) },
  'GET /auth/invite/{token}': {
    ready: async (given) => ({ params: { token: (await world.makeInvitation(given)).token ?? '' } }),
  },
  'POST /auth/invite/{token}/accept': {
    ready: async (given) => ({
      params: { token: (await world.makeInvitation(given)).token ?? '' },
      body: { email: `${world.fresh('kim')}@example.test`, password, name: 'Kim' },
      token: '',
    }),
    unknown: 'INVITATION_INVALID',
  },

  'GET /dashboard/me': nothing,
  'POST /dashboard/me/team': {
    ready: async () => {
      const { teamId, token } = await signUp();
      return { body: { teamId }, token };
    },
  },
  'POST /auth/password-reset': { ready: async () => ({ body: { email: (await signUp()).email } }) },
  'POST /auth/password-reset/confirm': {
    ready: async () => {
      const token = await newLink({ userId: (await signUp()).userId, purpose: 'password_reset' });
      return { body: { token, newPassword: 'another horse battery' } };
    },
  },
  'POST /auth/email/confirm': {
    ready: async () => {
      const email = `${world.fresh('new')}@example.test`;
      const { userId } = await signUp();
      return { body: { token: await newLink({ userId, purpose: 'email_change', email }) } };
    },
  },
  'PATCH /dashboard/me': { ready: () => ({ body: { name: 'Ada', timeZone: 'Europe/Berlin' } }) },
  'POST /dashboard/me/email': {
    ready: async () => {
      const { token } = await signUp();
      return { token, body: { email: `${world.fresh('new')}@example.test`, currentPassword: password } };
    },
  },
  'GET /dashboard/me/sessions': nothing,
  'DELETE /dashboard/me/sessions/{id}': {
    ready: async () => {
      const { token, email } = await signUp();
      await rest('POST', '/auth/login', { body: { email, password } });
      const { body } = await rest('GET', '/dashboard/me/sessions', { token });
      const other = body.sessions.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);
      return { token, params: { id: other.id } };
    },
  },
  'POST /dashboard/me/sessions/end-others': { ready: async () => ({ token: (await signUp()).token }) },
  'POST /dashboard/me/password': {
    ready: async () => ({
      body: { currentPassword: password, newPassword: 'another horse battery' },
      token: (await signUp()).token,
    }),
  },

  'GET /dashboard/billing': nothing,
  'GET /api/v1/billing': nothing,
  'POST /dashboard/billing/checkout': { ready: () => ({ body: { plan: 'pro' } }) },
  'POST /dashboard/billing/portal': {
    ready: async ({ owner }) => {
      await rest('POST', '/dashboard/billing/checkout', { token: owner.token, body: { plan: 'pro' } });
      return {};
    },
  },

  'GET /dashboard/audit-log': nothing,
  'GET /admin/audit-log': nothing,
  'GET /admin/mail': nothing,
  'GET /admin/users': nothing,
  'GET /admin/workers': nothing,
  'POST /admin/users/{userId}/password-reset': {
    ready: async () => ({ params: { userId: (await signUp()).userId } }),
  },
  [`GET ${forceDelete}`]: { ready: async () => ({ params: { userId: (await signUp()).userId } }) },
  [`POST ${forceDelete}`]: {
    ready: async () => {
      const { userId, token } = await signUp();
      // A Stripe customer: its removal is not only a matter of the database.
      await rest('POST', '/dashboard/billing/checkout', { token, body: { plan: 'pro' } });
      return { params: { userId }, body: { reason: 'Requested by the user' } };
    },
  },
};
