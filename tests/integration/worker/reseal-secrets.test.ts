import { afterEach, expect, it, vi } from 'vitest';
import { db } from '@/server/platform/db';
import { rest, signUp } from '@/tests/support/rest';
import { runJob } from '@/tests/support/run-job';

const FIRST = process.env.APP_SECRET ?? '';
const SECOND = 'another secret, for tests only, of many characters';

afterEach(() => vi.unstubAllEnvs());

/** The server's modules in a process with these secrets. */
async function under(secret: string, previous = '') {
  vi.stubEnv('APP_SECRET', secret);
  vi.stubEnv('APP_SECRET_PREVIOUS', previous);
  vi.resetModules();
  const { previousSeal, unseal } = await import('@/server/platform/crypto');
  const { pingUrlOf } = await import('@/server/monitor-types/config/ping-url');
  const monitors = await import('@/server/monitor-types/config/config-secrets');
  const channels = await import('@/server/notifications/config-secrets');
  const { queueResealing, resealSecrets } = await import('@/server/worker/reseal-secrets');
  const run = () => runJob(resealSecrets, {});
  return { previousSeal, unseal, pingUrlOf, monitors, channels, queueResealing, run };
}

const queued = () =>
  db.$queryRaw<unknown[]>`select 1 from graphile_worker.jobs where task_identifier = 'reseal-secrets'`;

it('re-encrypts secrets of the previous key, and leaves the rest unchanged', async () => {
  const { token } = await signUp();
  const create = async (path: string, body: object) => (await rest('POST', `/dashboard/${path}`, { token, body })).body;
  const lookalike = `http://127.0.0.1:9/${(await under(SECOND, FIRST)).previousSeal()}AAAA`;
  const config = {
    url: lookalike,
    auth: { kind: 'bearer', token: 'monitor-secret' },
    headers: { 'x-api-key': 'naïve "\\ x' },
  };
  const { id } = (await create('monitors', { type: 'http', name: 'Shop', config })).monitor;
  const beat = (await create('monitors', { type: 'heartbeat', name: 'Backup', config: {} })).monitor;
  const hook = { type: 'webhook', name: 'Ops', config: { url: lookalike, secret: 'channel-secret' } };
  const channelId: string = (await create('notification-channels', hook)).channel.id;
  const read = async () => ({
    monitor: await db.monitor.findUniqueOrThrow({ where: { id } }),
    heartbeat: await db.monitor.findUniqueOrThrow({ where: { id: beat.id } }),
    channel: await db.channel.findUniqueOrThrow({ where: { id: channelId } }),
  });
  const before = await read();

  const alone = await under(SECOND);
  await alone.queueResealing();
  expect(await queued()).toHaveLength(0);
  await alone.run();
  expect(await read()).toEqual(before);

  const both = await under(SECOND, FIRST);
  await Promise.all([both.queueResealing(), both.queueResealing()]);
  expect(await queued()).toHaveLength(1);
  expect(both.monitors.openConfig('http', before.monitor.config).config).toMatchObject(config);
  await Promise.all([both.run(), both.run()]);
  const after = await read();
  await both.run();
  expect(await read()).toEqual(after);

  const { monitors, channels, pingUrlOf } = await under(SECOND);
  expect(monitors.openConfig('http', after.monitor.config).config).toMatchObject(config);
  expect(channels.openConfig('webhook', after.channel.config)).toEqual(hook.config);
  expect(pingUrlOf(after.heartbeat)).toBe(beat.config.pingUrl);
  for (const kind of ['monitor', 'heartbeat', 'channel'] as const) {
    const same = { config: null, pingToken: null };
    expect({ ...after[kind], ...same }).toEqual({ ...before[kind], ...same });
  }
});

it('is not undone by an edit that began before and keeps the secret', async () => {
  const { token } = await signUp();
  const config = { url: 'http://127.0.0.1:9/', auth: { kind: 'bearer', token: 'monitor-secret' } };
  const body = { type: 'http', name: 'Shop', config };
  const { monitor } = (await rest('POST', '/dashboard/monitors', { token, body })).body;
  const path = `/dashboard/monitors/${monitor.id}`;
  let edited: ReturnType<typeof rest> | undefined;
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`
      update monitors set config = jsonb_set(config, '{auth,token,sealed}', '"sealed anew"') where id = ${monitor.id}`;
    edited = rest('PUT', path, { token, body: { config: { ...monitor.config, maxRedirects: 3 } } });
    await new Promise((resolve) => setTimeout(resolve, 500));
  });
  expect((await edited)?.status).toBe(200);
  const { config: kept } = await db.monitor.findUniqueOrThrow({ where: { id: monitor.id } });
  expect(kept).toMatchObject({ maxRedirects: 3, auth: { token: { sealed: 'sealed anew' } } });
});

it('re-encrypts what an edit stored while the row was read, and keeps the edit', async () => {
  const { token } = await signUp();
  const config = { url: 'http://127.0.0.1:9/', auth: { kind: 'bearer', token: 'monitor-secret' } };
  const { monitor } = (
    await rest('POST', '/dashboard/monitors', { token, body: { type: 'http', name: 'Shop', config } })
  ).body;
  const { id } = monitor;
  const both = await under(SECOND, FIRST);
  let running: Promise<void> | undefined;
  await db.$transaction(async (tx) => {
    const stored = await tx.monitor.findUniqueOrThrow({ where: { id } });
    await tx.monitor.update({ where: { id }, data: { config: { ...(stored.config as object), maxRedirects: 3 } } });
    running = Promise.resolve(both.run());
    // The job has read the row before the change, and waits for it.
    await vi.waitFor(async () => {
      const waiting = await db.$queryRaw<unknown[]>`
        select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like 'UPDATE "public"."monitors"%'`;
      expect(waiting).toHaveLength(1);
    }, 10_000);
  });
  await running;
  const { config: kept } = await db.monitor.findUniqueOrThrow({ where: { id } });
  expect(kept).toMatchObject({ maxRedirects: 3 });
  const { monitors } = await under(SECOND);
  expect(monitors.openConfig('http', kept).config).toMatchObject(config);
});
