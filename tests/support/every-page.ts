import { readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { until } from './receivers';

/** How long the first check of the monitor may take. */
const FIRST_CHECK_MS = 60_000;

/** The path patterns of all pages of app/, such as `/monitors/[id]/edit`. */
export function pagePatterns(): string[] {
  const files = readdirSync('app', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name === 'page.tsx')
    .map(({ parentPath }) => posix.relative('app', parentPath.replaceAll('\\', '/')));
  return files
    .filter((folder) => !folder.split('/').some((part) => part.startsWith('_')))
    .map((folder) => `/${folder.replaceAll(/\([^)]*\)\/?/g, '')}`.replace(/(.)\/$/, '$1'));
}

/**
 * Creates something of every kind in the team of a user, and returns the paths of all pages with the IDs and tokens of that.
 * @param login of the user, who administers the instance
 * @throws if a page of app/ has a parameter without an example here
 */
export async function everyPage(url: string, login: { email: string; password: string }): Promise<string[]> {
  let token = '';
  const send = async (method: string, path: string, data?: unknown) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const answer = await fetch(url + path, {
      method,
      headers,
      ...(data !== undefined && { body: JSON.stringify(data) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return JSON.parse(text);
  };
  const { user, accessToken } = await send('POST', '/auth/login', login);
  token = accessToken;
  const config = { url: 'http://127.0.0.1:9/', headers: { accept: 'text/html' }, confirm: { failures: 1 } };
  const { monitor } = await send('POST', '/api/v1/monitors', {
    type: 'http',
    name: 'Checkout',
    config,
    tags: ['shop'],
  });
  const mail = { type: 'email', name: 'Team', config: { to: user.email } };
  const { channel } = await send('POST', '/dashboard/notification-channels', mail);
  await send('POST', '/api/v1/me/contact-methods', { ...mail, name: 'Mail', delayMinutes: 0 });
  const layer = { name: 'Primary', userIds: [user.id], rotation: { unit: 'weeks', every: 1 } };
  const layers = [{ ...layer, startDate: '2026-01-05', handoverTime: '08:00' }];
  const { schedule } = await send('POST', '/api/v1/on-call/schedules', { name: 'Payments', layers });
  const steps = [{ targets: [{ type: 'schedule', id: schedule.id }], waitMinutes: 5 }];
  const { escalationPolicy } = await send('POST', '/api/v1/escalation-policies', { name: 'Payments', steps });
  const { incident } = await send('POST', '/api/v1/incidents', { title: 'Orders are late', monitorIds: [monitor.id] });
  await send('POST', `/api/v1/incidents/${incident.id}/updates`, { message: 'The queue is *stuck*.' });
  const { share } = await send('POST', `/api/v1/incidents/${incident.id}/share`);
  const times = { startsAt: '2100-01-02T03:00:00Z', endsAt: '2100-01-02T05:00:00Z' };
  const window = { title: 'Router', ...times, recurrence: 'FREQ=WEEKLY', monitorIds: [monitor.id] };
  const { maintenanceWindow } = await send('POST', '/api/v1/maintenance-windows', window);
  const shop = { slug: 'shop', title: 'Shop', monitorIds: [monitor.id] };
  const { statusPage } = await send('POST', '/dashboard/status-pages', shop);
  await send('POST', '/api/v1/status-page-components', { statusPageId: statusPage.id, name: 'Parcel tracking' });
  await send('POST', '/dashboard/api-keys', { name: 'script', scopes: ['read'] });
  await send('POST', '/api/v1/agent-tokens', { name: 'office server', region: 'office' });
  const invited = { email: 'kim@example.test', role: 'member' };
  const { invitation } = await send('POST', '/dashboard/team/invitations', invited);

  // Its incident would move a list that shows it later.
  const isDown = async () => (await send('GET', `/api/v1/monitors/${monitor.id}`)).monitor.status === 'down';
  await until(isDown, FIRST_CHECK_MS, 'The downtime of the monitor');

  const ids: Record<string, string> = {
    '/channels': channel.id,
    '/incidents': incident.id,
    '/maintenance': maintenanceWindow.id,
    '/monitors': monitor.id,
    '/on-call/escalation-policies': escalationPolicy.id,
    '/on-call/schedules': schedule.id,
    '/status-pages': statusPage.id,
    '/instance/users': user.id,
    '/invite': invitation.token,
    '/shared': share.token,
    // Links of mails: their pages say that the link is invalid.
    '/acknowledge': 'nothing',
    '/confirm-channel': 'nothing',
    '/confirm-email': 'nothing',
    '/reset-password': 'nothing',
    '/unsubscribe': 'nothing',
  };
  return [
    ...pagePatterns().map((pattern) =>
      pattern.replace(/^(.*)\/\[\w+\]/, (_, folder: string) => {
        if (!ids[folder]) throw new Error(`No example for ${pattern}`);
        return `${folder}/${ids[folder]}`;
      }),
    ),
    '/status/shop',
  ];
}
