import type { Operation } from '@/server/api/rest/operations';
import { newAcknowledgeToken } from '@/server/notifications/acknowledgments/acknowledge-link';
import { newConfirmationToken } from '@/server/notifications/confirmations/confirmation-link';
import { db } from '@/server/platform/db';
import type { Role } from '@/server/platform/generated/prisma/enums';
import { newUnsubscribeToken } from '@/server/summaries/unsubscribe-link';
import { Scope } from '@/server/trpc/schema';
import { httpMonitor, join, makeKey, type Person, rest, signUp } from '@/tests/support/rest';

/** The users and keys that the operations are tested with. */
export interface World {
  /** Instance administrator and owner of a team on a plan without limits. */
  owner: Person;
  /** Owner of another team. */
  outsider: Person;
  /** Members of the owner's team. */
  colleagues: Record<Exclude<Role, 'owner'>, Person>;
  keys: { all: string; reading: string; outsider: string };
}

export async function createWorld(): Promise<World> {
  const owner = await signUp();
  const outsider = await signUp();
  await db.team.updateMany({ data: { plan: 'self_hosted' } });
  return {
    owner,
    outsider,
    colleagues: {
      admin: await join(owner, 'admin'),
      member: await join(owner, 'member'),
      viewer: await join(owner, 'viewer'),
    },
    keys: {
      all: await makeKey(owner, [...Scope.options]),
      reading: await makeKey(owner, ['read']),
      outsider: await makeKey(outsider, [...Scope.options]),
    },
  };
}

/** Creates an object of the owner's team and returns it; throws if it could not be created. */
async function make(world: World, path: string, name: string, body: unknown): Promise<{ id: string; token?: string }> {
  const answer = await rest('POST', path, { token: world.owner.token, body });
  if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body[name];
}

let made = 0;

/** A unique text. */
export function fresh(text: string): string {
  made += 1;
  return `${text}-${made}`;
}

export const makeMonitor = (world: World) => make(world, '/api/v1/monitors', 'monitor', httpMonitor());
/** Creates a monitor and returns its externalId. */
export async function makeNamedMonitor(world: World): Promise<string> {
  const externalId = fresh('shop');
  await make(world, '/api/v1/monitors', 'monitor', httpMonitor({ externalId }));
  return externalId;
}
export const exclusionBody = { from: '2026-01-02T03:00:00Z', to: '2026-01-02T05:00:00Z', reason: 'Fire drill' };
export async function makeExclusion(world: World): Promise<{ id: string; monitorId: string }> {
  const { id: monitorId } = await makeMonitor(world);
  const { id } = await make(world, `/api/v1/monitors/${monitorId}/exclusions`, 'exclusion', exclusionBody);
  return { id, monitorId };
}
export const makeIncident = (world: World) =>
  make(world, '/api/v1/incidents', 'incident', { title: 'Orders are late' });
/** Has an action of an incident done, and returns its body with the incident's ID. */
async function makeWith(world: World, method: string, action: string, body?: object) {
  const { id } = await makeIncident(world);
  const path = `/api/v1/incidents/${id}/${action}`;
  const answer = await rest(method, path, { token: world.owner.token, ...(body && { body }) });
  return { ...answer.body, id };
}
export const makeResolvedIncident = (world: World) => makeWith(world, 'POST', 'resolve');
export const makePostmortem = (world: World) => makeWith(world, 'PUT', 'postmortem', { body: '# Summary' });
export async function makeNote(world: World): Promise<{ id: string; updateId: string }> {
  const { id, update } = await makeWith(world, 'POST', 'updates', { message: 'We look at it.' });
  return { id, updateId: update.id };
}
export const makeSharedIncident = async (world: World): Promise<string> =>
  (await makeWith(world, 'POST', 'share')).share.token;
export const windowBody = { title: 'Router', startsAt: '2100-01-02T03:00:00Z', endsAt: '2100-01-02T05:00:00Z' };
export const previewQuery = { startsAt: windowBody.startsAt, endsAt: windowBody.endsAt, recurrence: 'FREQ=DAILY' };
export const makeRunningWindow = (world: World) =>
  make(world, '/api/v1/maintenance-windows/start', 'maintenanceWindow', {});
export const makeWindow = (world: World) => make(world, '/api/v1/maintenance-windows', 'maintenanceWindow', windowBody);
/** Settings that are tested without being saved. */
export const testBody = { type: 'email', config: { to: 'team@example.test' } };
export const makeDailyWindow = (world: World) =>
  make(world, '/api/v1/maintenance-windows', 'maintenanceWindow', { ...windowBody, recurrence: 'FREQ=DAILY' });
export const channelBody = { type: 'email', name: 'Team', config: { to: 'team@example.test' } };
/** Creates a channel and deletes the older ones: a team has a hundred at most. */
export async function makeChannel(world: World, body: object = channelBody): Promise<{ id: string }> {
  const where = { teamId: world.owner.teamId, ownerId: null };
  const old = await db.channel.findMany({ where, orderBy: { id: 'desc' }, skip: 10, select: { id: true } });
  await db.channel.deleteMany({ where: { id: { in: old.map(({ id }) => id) } } });
  return make(world, '/dashboard/notification-channels', 'channel', body);
}
export const makeWebhook = (world: World) =>
  makeChannel(world, { type: 'webhook', name: 'Hook', config: { url: 'http://127.0.0.1:9/' } });
/** A failed delivery of a new channel. */
export async function makeDelivery(world: World): Promise<{ id: string; channelId: string }> {
  const { id: channelId } = await makeWebhook(world);
  const { id: incidentId } = await makeIncident(world);
  const row = await db.delivery.findFirstOrThrow({ where: { channelId, incidentId } });
  await db.delivery.update({ where: { id: row.id }, data: { status: 'failed', nextAttemptAt: null } });
  return { id: row.id, channelId };
}
const keysByScopes = new Map<string, Promise<string>>();
/** A key of the owner with these scopes, the same in every call. */
export function keyWith(world: World, scopes: string[]): Promise<string> {
  const name = scopes.join(' ');
  const key = keysByScopes.get(name) ?? makeKey(world.owner, scopes);
  keysByScopes.set(name, key);
  return key;
}
/** Whether an operation accepts the keys of a team. */
export const takesKeys = ({ path, access }: Pick<Operation, 'path' | 'access'>) =>
  path.startsWith('/api/v1/') && !(access.kind === 'team' && access.isPersonal);
export const contactMethodBody = { ...channelBody, name: 'Mail', delayMinutes: 5 };
/** Creates a contact method of the owner and deletes the others: a member has ten at most. */
export async function makeOnlyContactMethod(world: World): Promise<{ id: string }> {
  await db.channel.deleteMany({ where: { teamId: world.owner.teamId, ownerId: world.owner.userId } });
  return make(world, '/api/v1/me/contact-methods', 'contactMethod', contactMethodBody);
}
export const scheduleBody = ({ owner }: World) => ({
  name: 'Payments',
  layers: [
    {
      name: 'Primary',
      userIds: [owner.userId],
      rotation: { unit: 'weeks', every: 1 },
      startDate: '2026-01-05',
      handoverTime: '08:00',
    },
  ],
});
export const makeSchedule = (world: World) => make(world, '/api/v1/on-call/schedules', 'schedule', scheduleBody(world));
export const overrideTimes = { startsAt: '2100-01-02T03:00:00Z', endsAt: '2100-01-02T05:00:00Z' };
export async function makeOverride(world: World): Promise<{ id: string; scheduleId: string }> {
  const { id: scheduleId } = await makeSchedule(world);
  const path = `/api/v1/on-call/schedules/${scheduleId}/overrides`;
  const { id } = await make(world, path, 'override', { userId: world.owner.userId, ...overrideTimes });
  return { id, scheduleId };
}
/** A calendar feed that the owner can create: a member has twenty at most. */
export async function feedBody(world: World): Promise<Record<string, unknown>> {
  await db.calendarFeed.deleteMany({ where: { userId: world.owner.userId } });
  return { kind: 'on_call', scheduleId: (await makeSchedule(world)).id };
}
/** Creates a calendar feed of the owner and deletes the others. */
export async function makeOnlyFeed(world: World): Promise<{ id: string }> {
  return make(world, '/api/v1/me/calendar-feeds', 'feed', await feedBody(world));
}
/** A saved view that the team can create: it has twenty at most. */
export async function viewBody(): Promise<Record<string, unknown>> {
  await db.savedView.deleteMany();
  return { name: fresh('Payments'), query: 'tag=payments' };
}
export const makeView = async (world: World) => make(world, '/api/v1/saved-views', 'savedView', await viewBody());
export const policyBody = ({ owner }: World) => ({
  name: 'Payments',
  steps: [{ targets: [{ type: 'user', id: owner.userId }], waitMinutes: 5 }],
  minSeverity: 'critical',
  tags: ['never'],
});
export const makePolicy = (world: World) =>
  make(world, '/api/v1/escalation-policies', 'escalationPolicy', policyBody(world));
/** The token that confirms a new channel's address. */
export async function makeConfirmation(world: World): Promise<string> {
  const address = `${fresh('on-call')}@example.test`;
  await makeChannel(world, { ...channelBody, config: { to: address } });
  return newConfirmationToken({ teamId: world.owner.teamId, address });
}
export async function makeAcknowledgeLink(world: World): Promise<string> {
  const { id: channelId } = await makeChannel(world);
  const { id: incidentId } = await makeIncident(world);
  return newAcknowledgeToken({ target: { incidentId, opening: 0 }, channelId });
}
export const makeUnsubscribeLink = ({ owner }: World) => newUnsubscribeToken('weekly', owner);
export const pageBody = () => ({ slug: fresh('shop'), title: 'Shop', description: '', isPublic: true, monitorIds: [] });
export const makePage = (world: World) => make(world, '/dashboard/status-pages', 'statusPage', pageBody());
export async function makeComponent(world: World): Promise<{ id: string }> {
  const { id: statusPageId } = await makePage(world);
  return make(world, '/api/v1/status-page-components', 'component', { statusPageId, name: 'Support phone line' });
}
export const makeInvitation = (world: World) =>
  make(world, '/dashboard/team/invitations', 'invitation', { email: `${fresh('kim')}@example.test`, role: 'member' });
export const makeAgentToken = (world: World) =>
  make(world, '/api/v1/agent-tokens', 'agentToken', { name: 'office server', region: 'office' });
export const makeApiKey = (world: World) =>
  make(world, '/dashboard/api-keys', 'apiKey', { name: 'script', scopes: ['read'] });

const table = Buffer.from('Name,URL\nGateway,ping://192.0.2.1\n');
/** Does the actions of an import up to one of them. */
async function importUpTo(world: World, actions: string[]): Promise<{ id: string }> {
  const { id } = await make(world, '/api/v1/imports', 'import', importBody);
  for (const action of actions) {
    const body = action === 'parts' ? { position: 0, data: table.toString('base64') } : {};
    const answer = await rest('POST', `/api/v1/imports/${id}/${action}`, { token: world.owner.token, body });
    if (answer.status !== 200) throw new Error(`${action} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
  return { id };
}
export const importBody = { source: 'csv', fileName: 'table.csv', bytes: table.length };
export const makeImport = (world: World) => importUpTo(world, []);
export const makeUploadedImport = (world: World) => importUpTo(world, ['parts']);
export const makeReadImport = (world: World) => importUpTo(world, ['parts', 'read']);
export const makeStartedImport = (world: World) => importUpTo(world, ['parts', 'read', 'start']);
