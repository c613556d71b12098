import { afterAll, beforeAll, expect, it } from 'vitest';
import { createContext } from '@/server/api/context';
import { appRouter } from '@/server/api/router';
import type { LiveMessage } from '@/server/live/live-events';
import { db } from '@/server/platform/db';
import { notify, stopListening } from '@/server/platform/listen';
import { httpMonitor, type Person, rest, signUp } from '@/tests/support/rest';

let person: Person;

beforeAll(async () => {
  person = await signUp();
});

afterAll(stopListening);

/** The live stream of a person, as the dashboard opens it. */
async function open(of: Person): Promise<{ next: () => Promise<LiveMessage>; close: () => void }> {
  const session = await db.session.findFirstOrThrow({ where: { userId: of.userId } });
  await db.session.update({ where: { id: session.id }, data: { kind: 'dashboard' } });
  const context = await createContext('dashboard', new Headers());
  const credential = { kind: 'session' as const, sid: session.id, userId: of.userId, sv: session.sessionVersion };
  const stop = new AbortController();
  const stream = await appRouter.createCaller({ ...context, credential }, { signal: stop.signal }).live.events();
  const iterator = stream[Symbol.asyncIterator]();
  return {
    next: async () => (await iterator.next()).value as LiveMessage,
    close: () => stop.abort(),
  };
}

it("tells a team's changes to its people, and to nobody else", async () => {
  const stranger = await signUp();
  const [own, other] = [await open(person), await open(stranger)];
  expect([await own.next(), await other.next()]).toEqual([{ kind: 'hello' }, { kind: 'hello' }]);
  const { token } = await signUp();
  const key = (await rest('POST', '/auth/login', { body: { email: person.email, password: person.password } })).body;
  const { body } = await rest('POST', '/api/v1/monitors', { token: key.accessToken, body: httpMonitor() });
  expect(await own.next()).toEqual({ kind: 'monitor', ids: [body.monitor.id] });
  await rest('POST', '/api/v1/monitors', { token, body: httpMonitor() });
  await db.$transaction((tx) => notify(tx, { team: stranger.teamId, kind: 'channel', ids: ['x'] }));
  expect(await other.next()).toEqual({ kind: 'channel', ids: ['x'] });
  own.close();
  other.close();
});

it('a change that is rolled back is not told', async () => {
  const someone = await signUp();
  const stream = await open(someone);
  await stream.next();
  const told = (tx: Parameters<typeof notify>[0], id: string) =>
    notify(tx, { team: someone.teamId, kind: 'monitor', ids: [id] });
  await db
    .$transaction(async (tx) => {
      await told(tx, 'rolled back');
      throw new Error('no');
    })
    .catch(() => undefined);
  await db.$transaction((tx) => told(tx, 'committed'));
  expect(await stream.next()).toEqual({ kind: 'monitor', ids: ['committed'] });
  stream.close();
});
