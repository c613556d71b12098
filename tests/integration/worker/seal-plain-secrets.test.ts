import { expect, it } from 'vitest';
import { openConfig } from '@/server/monitor-types/config/config-secrets';
import { HttpConfig, TcpConfig } from '@/server/monitor-types/schema';
import { openConfig as openChannel } from '@/server/notifications/config-secrets';
import { db } from '@/server/platform/db';
import { queueSealing, sealPlainSecrets } from '@/server/worker/seal-plain-secrets';
import { makeKey, rest, signUp } from '@/tests/support/rest';
import { runJob } from '@/tests/support/run-job';

const SECRET = 'TOPSECRET';
const run = () => runJob(sealPlainSecrets, {});

it('encrypts plain-text secrets of an earlier version once, with no visible change', async () => {
  const person = await signUp();
  const token = await makeKey(person);
  const create = async (body: object) => (await rest('POST', '/api/v1/monitors', { token, body })).body.monitor.id;
  const address = { url: 'http://127.0.0.1:9/' };
  const [http, tcp, plain] = [
    await create({ type: 'http', name: 'Shop', config: address }),
    await create({ type: 'tcp', name: 'Redis', config: { host: '127.0.0.1', port: 9 } }),
    await create({ type: 'http', name: 'Plain', config: address }),
  ];
  const config = HttpConfig.parse({ url: `http://127.0.0.1:9/?token=${SECRET}`, method: 'POST', body: SECRET });
  const spoken = TcpConfig.parse({ host: '127.0.0.1', port: 9, send: SECRET });
  await db.$executeRaw`update monitors set config = ${JSON.stringify(config)}::jsonb where id = ${http}`;
  await db.$executeRaw`update monitors set config = ${JSON.stringify(spoken)}::jsonb where id = ${tcp}`;
  const hook = { type: 'webhook', name: 'Ops', config: { url: 'http://127.0.0.1:9/', secret: 'a-secret' } };
  const made = await rest('POST', '/dashboard/notification-channels', { token: person.token, body: hook });
  const channelId: string = made.body.channel.id;
  const url = `http://127.0.0.1:9/${SECRET}`;
  await db.$executeRaw`update channels set config = jsonb_set(config, '{url}', to_jsonb(${url}::text)) where id = ${channelId}`;

  const read = async () => ({
    monitors: await db.monitor.findMany({ where: { teamId: person.teamId }, orderBy: { id: 'asc' } }),
    channels: await db.channel.findMany({ where: { teamId: person.teamId } }),
  });
  const before = await read();
  const shown = async () => (await rest('GET', '/api/v1/monitors', { token })).body;
  const seen = await shown();
  expect(JSON.stringify(before)).toContain(SECRET);

  await Promise.all([queueSealing(), queueSealing()]);
  const queued = await db.$queryRaw<unknown[]>`
    select 1 from graphile_worker.jobs where task_identifier = ${sealPlainSecrets.name}`;
  expect(queued).toHaveLength(1);
  await Promise.all([run(), run()]);

  const after = await read();
  expect(JSON.stringify(after)).not.toContain(SECRET);
  const configOf = (id: string) => after.monitors.find((row) => row.id === id)?.config;
  expect(openConfig('http', configOf(http)).config).toEqual(config);
  expect(openConfig('tcp', configOf(tcp)).config).toEqual(spoken);
  expect(openChannel('webhook', after.channels[0]?.config)).toEqual({ url, secret: 'a-secret' });
  expect(configOf(plain)).toEqual(before.monitors.find((row) => row.id === plain)?.config);
  expect(await shown()).toEqual(seen);
  const withoutConfig = ({ monitors, channels }: typeof after) =>
    [...monitors, ...channels].map((row) => ({ ...row, config: null }));
  expect(withoutConfig(after)).toEqual(withoutConfig(before));
  await run();
  expect(await read()).toEqual(after);
});
