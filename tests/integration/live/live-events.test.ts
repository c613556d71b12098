import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appRouter } from '@/server/api/router';
import { handleTrpc } from '@/server/api/trpc-handler';
import { revokeSession } from '@/server/auth/revoke-session';
import { storePing } from '@/server/checks/record/store-ping';
import { type LiveMessage, liveEvents, MOST_STREAMS } from '@/server/live/live-events';
import { sha256 } from '@/server/platform/crypto';
import { db } from '@/server/platform/db';
import type { AppError } from '@/server/platform/errors';
import { Prisma } from '@/server/platform/generated/prisma/client';
import { listen, notify, notifyAccess, notifyWatchers, stopListening } from '@/server/platform/listen';
import { createContext } from '@/server/trpc/context';
import type { TeamContext } from '@/server/trpc/contexts';
import { cookieOf } from '@/tests/integration/teams/support';
import { httpMonitor, type Person, rest, signUp } from '@/tests/support/rest';

let person: Person;

beforeAll(async () => {
  person = await signUp();
});

afterAll(stopListening);

/** A user's live stream, as the dashboard opens it. */
async function open(of: Person) {
  const session = await db.session.findFirstOrThrow({ where: { userId: of.userId } });
  await db.session.update({ where: { id: session.id }, data: { kind: 'dashboard' } });
  const context = await createContext('dashboard', new Headers());
  const credential = { kind: 'session' as const, sid: session.id, userId: of.userId, sv: session.sessionVersion };
  const stop = new AbortController();
  const stream = await appRouter.createCaller({ ...context, credential }, { signal: stop.signal }).live.events();
  const iterator = stream[Symbol.asyncIterator]();
  return {
    next: async (): Promise<LiveMessage | undefined> => (await iterator.next()).value,
    ended: async () => (await iterator.next()).done === true,
    close: () => stop.abort(),
  };
}

it("sends a team's changes to its members, and to nobody else", async () => {
  const outsider = await signUp();
  const [own, other] = [await open(person), await open(outsider)];
  expect([await own.next(), await other.next()]).toEqual([{ kind: 'hello' }, { kind: 'hello' }]);
  const { token } = await signUp();
  const key = (await rest('POST', '/auth/login', { body: { email: person.email, password: person.password } })).body;
  const { body } = await rest('POST', '/api/v1/monitors', { token: key.accessToken, body: httpMonitor() });
  expect(await own.next()).toEqual({ kind: 'monitor', ids: [body.monitor.id] });
  await rest('POST', '/api/v1/monitors', { token, body: httpMonitor() });
  await db.$transaction((tx) => notify(tx, { team: outsider.teamId, kind: 'channel', ids: ['x'] }));
  expect(await other.next()).toEqual({ kind: 'channel', ids: ['x'] });
  own.close();
  other.close();
});

it('sends nothing for a change that is rolled back', async () => {
  const someone = await signUp();
  const stream = await open(someone);
  await stream.next();
  const publish = (tx: Parameters<typeof notify>[0], id: string) =>
    notify(tx, { team: someone.teamId, kind: 'monitor', ids: [id] });
  await db
    .$transaction(async (tx) => {
      await publish(tx, 'rolled back');
      throw new Error('no');
    })
    .catch(() => undefined);
  await db.$transaction((tx) => publish(tx, 'committed'));
  expect(await stream.next()).toEqual({ kind: 'monitor', ids: ['committed'] });
  stream.close();
});

it('makes a slow browser reload everything instead of buffering more for it', async () => {
  const someone = await signUp();
  const stream = await open(someone);
  await stream.next();
  const { teamId: team } = someone;
  let finish: (() => void) | undefined;
  const arrived = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const stop = await listen('live', ({ ids }) => ids[0] === 'last' && finish?.());
  await db.$executeRaw`
    select pg_notify('upwatch', json_build_object('team', ${team}::text, 'kind', 'monitor', 'ids', json_build_array(n::text))::text)
    from generate_series(1, 1050) n`;
  await notify(db, { team, kind: 'monitor', ids: ['last'] });
  await arrived;
  stop();
  expect(await stream.next()).toEqual({ kind: 'resync' });
  await notify(db, { team, kind: 'monitor', ids: ['after'] });
  let next = await stream.next();
  // The stream may learn of the latest of them after its first message.
  if (next?.kind === 'resync') next = await stream.next();
  expect(next).toEqual({ kind: 'monitor', ids: expect.arrayContaining(['after']) });
  stream.close();
});

it('merges the events of half a second, which name each object once', async () => {
  const someone = await signUp();
  const stream = await open(someone);
  await stream.next();
  const { teamId: team } = someone;
  const publish = (kind: 'monitor' | 'incident', id: string) => notify(db, { team, kind, ids: [id] });
  await publish('monitor', 'first');
  expect(await stream.next()).toEqual({ kind: 'monitor', ids: ['first'] });
  const next = stream.next();
  for (let round = 0; round < 20; round += 1) await publish('monitor', `${round % 2}`);
  await publish('incident', 'one');
  const messages = [await next, await stream.next()];
  expect(messages).toContainEqual({ kind: 'incident', ids: ['one'] });
  expect(messages.filter((message) => message?.kind === 'monitor')).toHaveLength(1);
  stream.close();
});

it('merges the events of a team with 150 streams for 1.5 s', async () => {
  const members = [await signUp(), await signUp(), await signUp()];
  const [{ teamId }] = members as [Person, ...Person[]];
  for (const { userId } of members.slice(1)) {
    await db.membership.create({ data: { teamId, userId, role: 'member' } });
    await db.session.updateMany({ where: { userId }, data: { teamId } });
  }
  const streams = await Promise.all(members.flatMap((each) => Array.from({ length: 50 }, () => open(each))));
  const [first] = streams as [Awaited<ReturnType<typeof open>>];
  await Promise.all(streams.map((stream) => stream.next()));
  await notify(db, { team: teamId, kind: 'monitor', ids: ['first'] });
  await first.next();
  const startedAt = performance.now();
  await notify(db, { team: teamId, kind: 'monitor', ids: ['second'] });
  expect(await first.next()).toEqual({ kind: 'monitor', ids: ['second'] });
  expect(performance.now() - startedAt).toBeGreaterThan(1_400);
  for (const stream of streams) stream.close();
});

describe('event stream', () => {
  /** Makes a user a member of another user's team and switches their session to it. */
  async function join({ teamId }: Person, { userId }: Person): Promise<void> {
    await db.membership.create({ data: { teamId, userId, role: 'member' } });
    await db.session.updateMany({ where: { userId }, data: { teamId } });
  }

  async function expectEnd(of: Person, change: () => Promise<unknown>): Promise<void> {
    const stream = await open(of);
    expect(await stream.next()).toEqual({ kind: 'hello' });
    await change();
    expect(await stream.ended()).toBe(true);
  }

  it('ends with the membership', async () => {
    const [owner, member] = [await signUp(), await signUp()];
    await join(owner, member);
    await expectEnd(member, () => rest('DELETE', `/dashboard/team/members/${member.userId}`, { token: owner.token }));
  });

  it('ends with the session', async () => {
    const someone = await signUp();
    const { id } = await db.session.findFirstOrThrow({ where: { userId: someone.userId } });
    await expectEnd(someone, () => revokeSession(id));
  });

  it('ends with a changed password', async () => {
    const someone = await signUp();
    const body = { currentPassword: someone.password, newPassword: 'another long password' };
    const { body: other } = await rest('POST', '/auth/login', {
      body: { email: someone.email, password: someone.password },
    });
    await expectEnd(someone, () => rest('POST', '/dashboard/me/password', { token: other.accessToken, body }));
  });

  it('ends with the account, and with a team that was deleted with it', async () => {
    const [owner, member, admin] = [await signUp(), await signUp(), await signUp()];
    await join(owner, member);
    await db.user.update({ where: { id: admin.userId }, data: { isAdmin: true } });
    const streams = [await open(owner), await open(member)];
    for (const stream of streams) expect(await stream.next()).toEqual({ kind: 'hello' });
    const path = `/admin/users/${owner.userId}/force-delete`;
    expect((await rest('POST', path, { token: admin.token, body: { reason: 'Asked.' } })).status).toBe(200);
    expect(await Promise.all(streams.map((stream) => stream.ended()))).toEqual([true, true]);
  });

  it('continues if another session of the same user ends', async () => {
    const someone = await signUp();
    const stream = await open(someone);
    await stream.next();
    await db.$transaction((tx) => notifyAccess(tx, [someone.userId]));
    await db.$transaction((tx) => notify(tx, { team: someone.teamId, kind: 'monitor', ids: ['still'] }));
    expect(await stream.next()).toEqual({ kind: 'monitor', ids: ['still'] });
    stream.close();
  });
});

describe('number of event streams', () => {
  /** As many streams as a user may have. */
  async function openAll(of: Person) {
    const streams = [];
    for (let count = 0; count < MOST_STREAMS.user; count += 1) streams.push(await open(of));
    return streams;
  }

  it('is at most 50 per user, and another begins as soon as one ends', async () => {
    const someone = await signUp();
    const streams = await openAll(someone);
    for (const stream of streams) expect(await stream.next()).toEqual({ kind: 'hello' });
    await expect(open(someone)).rejects.toMatchObject({ cause: { code: 'RATE_LIMITED', retryAfterSeconds: 30 } });
    const other = await open(await signUp());
    expect(await other.next()).toEqual({ kind: 'hello' });
    streams[0]?.close();
    expect(await streams[0]?.ended()).toBe(true);
    const next = await open(someone);
    expect(await next.next()).toEqual({ kind: 'hello' });
    for (const stream of [...streams, other, next]) stream.close();
  });

  it('does not include a stream whose client left before it began', async () => {
    const someone = await signUp();
    for (const stream of await openAll(someone)) stream.close();
    const next = await open(someone);
    expect(await next.next()).toEqual({ kind: 'hello' });
    next.close();
  });

  it('is bounded in total, and a team with many streams leaves some to others', async () => {
    const stops: AbortController[] = [];
    const begin = (user: string) => {
      const ctx = { team: { id: 'large' }, user: { id: user } } as TeamContext;
      const stop = new AbortController();
      stops.push(stop);
      return liveEvents({ ctx, signal: stop.signal }, async () => true);
    };
    let begun = 0;
    const refusals = new Set<unknown>();
    for (let count = 0; count < 2 * MOST_STREAMS.process; count += 1) {
      try {
        begin(`user ${count % 100}`);
        begun += 1;
      } catch (error) {
        refusals.add((error as AppError).code);
      }
    }
    expect([...refusals]).toEqual(['RATE_LIMITED']);
    expect(begun).toBeGreaterThan(MOST_STREAMS.process / 4);
    expect(begun).toBeLessThan(MOST_STREAMS.process);
    const other = await open(await signUp());
    expect(await other.next()).toEqual({ kind: 'hello' });
    for (const stop of stops) stop.abort();
    other.close();
  });

  it('is refused with 429, Retry-After and the error envelope before the stream begins', async () => {
    const someone = await signUp();
    const streams = await openAll(someone);
    const headers = { cookie: await cookieOf(someone), accept: 'text/event-stream', 'sec-fetch-site': 'same-origin' };
    const refused = await handleTrpc(new Request('http://127.0.0.1/api/trpc/live.events', { headers }));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
    expect(await refused.json()).toMatchObject({ error: { data: { error: { code: 'RATE_LIMITED', status: 429 } } } });
    for (const stream of streams) stream.close();
  });
});

describe('events of checks that change no status', () => {
  /** A heartbeat that is up, how to ping it, and the notifications of its team. */
  async function heartbeat(of: Person) {
    const { body } = await rest('POST', '/dashboard/monitors', {
      token: of.token,
      body: { name: 'Job', type: 'heartbeat', config: {}, intervalSeconds: 60 },
    });
    const { id, config } = body.monitor as { id: string; config: { pingUrl: string } };
    const hash = sha256(config.pingUrl.split('/').at(-1) ?? '');
    const ping = () => storePing({ tokenHash: hash, event: { kind: 'success' }, body: null });
    expect(await ping()).toBe(of.teamId);
    return { id, ping };
  }

  it('sends events of checks that change no status to a team with an open page, and to no other', async () => {
    const [watching, away] = [await signUp(), await signUp()];
    const [ours, theirs] = [await heartbeat(watching), await heartbeat(away)];
    const stream = await open(watching);
    expect(await stream.next()).toEqual({ kind: 'hello' });
    const received: string[] = [];
    const stop = await listen('live', ({ ids }) => received.push(...ids));
    await theirs.ping();
    await ours.ping();
    expect(await stream.next()).toEqual({ kind: 'monitor', ids: [ours.id] });
    expect(received).toEqual([ours.id]);
    stop();
    stream.close();
  });

  it('sends a reload after the events if a transaction had not seen the new page', async () => {
    const someone = await signUp();
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    let writing: Promise<void> = Promise.resolve();
    // As a worker does that records a check: it finds no page, and commits after the page has read its data.
    const found = await new Promise<number>((resolve) => {
      writing = db.$transaction(async (tx) => {
        resolve(await tx.liveWatcher.count({ where: { teamId: someone.teamId } }));
        await ended;
      });
    });
    expect(found).toBe(0);
    const stream = await open(someone);
    expect(await stream.next()).toEqual({ kind: 'hello' });
    const next = stream.next();
    expect(await Promise.race([next, sleep(500, 'nothing')])).toBe('nothing');
    end();
    await writing;
    expect(await next).toEqual({ kind: 'resync' });
    stream.close();
  });

  it('splits events of checks into parts of 200 monitors', async () => {
    const { teamId } = await signUp();
    await db.liveWatcher.create({ data: { teamId, until: new Date(Date.now() + 60_000) } });
    const parts: number[] = [];
    const received = await new Promise<string[]>((resolve) => {
      const all: string[] = [];
      void listen('live', ({ team, ids }) => {
        if (team !== teamId) return;
        parts.push(ids.length);
        all.push(...ids);
        if (all.length === 450) resolve(all);
      }).then(
        () => db.$queryRaw`
          with checked as (select n::text as monitor_id, ${teamId}::text as team_id from generate_series(1, 450) n, generate_series(1, 2))
          select ${notifyWatchers(Prisma.sql`checked`)}`,
      );
    });
    expect(parts.toSorted()).toEqual([200, 200, 50]);
    expect(new Set(received).size).toBe(450);
  });
});
