import { expect, it, vi } from 'vitest';
import { db } from '@/server/platform/db';
import { type Answer, httpMonitor, type Person, rest, signUp } from '@/tests/support/rest';

/** Whether a statement in this database waits for a row that another transaction has locked. */
async function someoneWaits(): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return rows.length > 0;
}

/** Answers a request that was authenticated before `remove`, and continues when `remove` is committed. */
async function whileRemoved(request: () => Promise<Answer>, remove: (tx: typeof db) => Promise<unknown>) {
  let pending: Promise<Answer> | undefined;
  await db.$transaction(async (tx) => {
    await remove(tx as typeof db);
    pending = request();
    await vi.waitUntil(someoneWaits, { timeout: 15_000, interval: 20 });
  });
  return pending as Promise<Answer>;
}

const post = (path: string, body: unknown) => (person: Person) => rest('POST', path, { token: person.token, body });

it.each([
  ['a monitor', post('/dashboard/monitors', httpMonitor())],
  ['an invitation', post('/dashboard/team/invitations', { email: 'kim@example.test', role: 'member' })],
  ['an API key', post('/dashboard/api-keys', { name: 'script', scopes: ['read'] })],
  ['a status page', post('/dashboard/status-pages', { slug: 'meanwhile', title: 'Meanwhile' })],
  ['a channel', post('/dashboard/notification-channels', { type: 'email', name: 'Us', config: { to: 'a@b.test' } })],
])('rejects the credential of %s if its team is deleted meanwhile', async (_what, create) => {
  const person = await signUp();
  const answer = await whileRemoved(
    () => create(person),
    (tx) => tx.team.delete({ where: { id: person.teamId } }),
  );
  expect([answer.status, answer.body.error?.code]).toEqual([401, 'UNAUTHENTICATED']);
});

it('returns NOT_FOUND for a test message to a channel deleted meanwhile', async () => {
  const person = await signUp();
  const channel = { type: 'webhook', name: 'Hook', config: { url: 'http://127.0.0.1:9/' } };
  const { id } = (await post('/dashboard/notification-channels', channel)(person)).body.channel;
  const answer = await whileRemoved(
    () => post(`/dashboard/notification-channels/${id}/test`, undefined)(person),
    (tx) => tx.channel.delete({ where: { id } }),
  );
  expect([answer.status, answer.body.error?.code]).toEqual([404, 'NOT_FOUND']);
});
