import { beforeAll, expect, it } from 'vitest';
import { httpMonitor, type Person, rest, signUp } from '@/tests/support/rest';

let person: Person;
beforeAll(async () => {
  person = await signUp();
});

const TYPED = ' Shop \u202egnp.exe\u2028two ';
const CLEAN = 'Shop gnp.exe two';
const times = { startsAt: '2030-01-01T00:00:00Z', endsAt: '2030-01-01T01:00:00Z' };
const webhook = { type: 'webhook', config: { url: 'https://hooks.example.test/' } };

it.each([
  ['monitor', '/dashboard/monitors', httpMonitor({ name: TYPED, tags: ['a\u2028b'] }), 'name'],
  ['channel', '/dashboard/notification-channels', { ...webhook, name: TYPED }, 'name'],
  ['incident', '/api/v1/incidents', { title: TYPED }, 'title'],
  ['statusPage', '/dashboard/status-pages', { slug: 'names-of-shops', title: TYPED }, 'title'],
  ['maintenanceWindow', '/api/v1/maintenance-windows', { title: TYPED, ...times }, 'title'],
  ['apiKey', '/dashboard/api-keys', { name: TYPED, scopes: ['read'] }, 'name'],
])('stores the name of a new %s on one line and in order', async (key, path, body, field) => {
  const answer = await rest('POST', path, { token: person.token, body });
  expect(answer.status).toBe(201);
  expect(answer.body[key][field]).toBe(CLEAN);
  if (key === 'monitor') expect(answer.body.monitor.tags).toEqual(['a b']);
});

it('stores the names of accounts and teams on one line and in order', async () => {
  const account = { email: 'names@example.test', password: 'nine unlikely words in a row' };
  const { body } = await rest('POST', '/auth/signup', { body: { ...account, name: TYPED, teamName: TYPED } });
  const me = await rest('GET', '/dashboard/me', { token: body.accessToken });
  expect([me.body.user.name, me.body.teams[0].name]).toEqual([CLEAN, CLEAN]);
});
