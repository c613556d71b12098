import { expect, it } from 'vitest';
import { appRouter } from '@/server/api/router';
import { handleTrpc } from '@/server/api/trpc-handler';
import { db } from '@/server/platform/db';
import { createContext } from '@/server/trpc/context';
import { httpMonitor, rest, signUp } from '@/tests/support/rest';

async function call(path: string, body?: string): Promise<{ status: number; text: string }> {
  const request = new Request(`http://127.0.0.1:3000/api/trpc/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body }),
  });
  const response = await handleTrpc(request);
  return { status: response.status, text: await response.text() };
}

it.each([
  ['an input that is not JSON', 'teams.invitations.get?input=%7B', undefined],
  ['a mutation input that is not JSON', 'auth.signUp', '{'],
  ['a batch that is not JSON', 'teams.invitations.get,teams.invitations.get?batch=1&input=%7B', undefined],
])('reports %s as a client error', async (_name, path, body) => {
  const { status, text } = await call(path, body);
  expect(status).toBe(400);
  expect(text).toContain('VALIDATION_ERROR');
  expect(text).not.toContain('INTERNAL');
});

it('rejects more concurrent calls than the dashboard makes', async () => {
  const batch = (calls: number) => call(`${Array(calls).fill('auth.me').join(',')}?batch=1&input=%7B%7D`);
  expect((await batch(20)).text).toContain('UNAUTHENTICATED');
  const { status, text } = await batch(21);
  expect(status).toBe(400);
  expect(text).not.toContain('UNAUTHENTICATED');
});

it('returns stored names to pages without the characters that reorder text, and by REST as they are', async () => {
  const person = await signUp();
  const typed = 'Shop \u202egnp.exe\u2066 متجر\u200f';
  const { token } = person;
  const { body: created } = await rest('POST', '/dashboard/monitors', { token, body: httpMonitor() });
  const { id } = created.monitor;
  await db.monitor.update({ where: { id }, data: { name: typed } });
  expect((await rest('GET', `/dashboard/monitors/${id}`, { token })).body.monitor.name).toBe(typed);
  const session = await db.session.findFirstOrThrow({ where: { userId: person.userId } });
  await db.session.update({ where: { id: session.id }, data: { kind: 'dashboard' } });
  const credential = { kind: 'session' as const, sid: session.id, userId: person.userId, sv: session.sessionVersion };
  const page = appRouter.createCaller({ ...(await createContext('dashboard', new Headers())), credential });
  const { monitors } = await page.monitors.list({});
  expect(monitors.map(({ name }) => name)).toEqual(['Shop gnp.exe متجر\u200f']);
});
