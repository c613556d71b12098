import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { kumaDatabase } from '@/tests/support/kuma-database';
import { now, readImport, tryImport } from '@/tests/support/read-import';

const run = (file: Uint8Array) => tryImport('uptime-kuma', file);
const read = (file: Uint8Array) => readImport('uptime-kuma', file);

async function monitorOf(row: Record<string, string | number | null>) {
  const draft = await read(await kumaDatabase({ monitor: [{ name: 'One', ...row }] }));
  return draft.monitors[0] ?? draft.leftOut[0];
}

// The first read loads the schemas of all objects.
beforeAll(async () => void (await run(Buffer.from('[]'))), 60_000);

const url = 'https://northwind.example/';
const PEM = '-----BEGIN CERTIFICATE-----\nTUlJ\n-----END CERTIFICATE-----';
const KEY = '-----BEGIN PRIVATE KEY-----\nTUlJ\n-----END PRIVATE KEY-----';

describe('monitors of Uptime Kuma', () => {
  it.each([
    [
      'http',
      { url, method: 'post', body: '{}', headers: '{"X-A":"b"}', timeout: 5, maxredirects: 0, ignore_tls: 1 },
      {
        type: 'http',
        config: {
          url,
          method: 'POST',
          body: '{}',
          headers: { 'X-A': 'b', 'content-type': 'application/json' },
          timeoutMs: 5_000,
          followRedirects: false,
          verifyTls: false,
        },
      },
    ],
    [
      'http',
      { url: 'https://a:p%40ss@northwind.example/' },
      {
        config: { url, auth: { kind: 'basic', username: 'a', password: 'p@ss' }, confirm: { failures: 1 } },
      },
    ],
    [
      'keyword',
      { url, keyword: ' Hello', maxretries: 2, retry_interval: 20 },
      {
        config: {
          assertions: [{ source: 'body', operator: 'contains', value: ' Hello' }],
          confirm: { failures: 3, retryDelayMs: 20_000 },
        },
      },
    ],
    ['keyword', { url, keyword: 'x', invert_keyword: 1 }, { config: { assertions: [{ operator: 'notContains' }] } }],
    [
      'json-query',
      { url, json_path: 'a.b[0].c', expected_value: '1' },
      {
        config: { assertions: [{ source: 'json', property: '$.a.b[0].c', operator: 'equals', value: '1' }] },
      },
    ],
    [
      'http',
      { url, auth_method: 'mtls', tls_cert: PEM, tls_key: KEY, tls_ca: PEM },
      { config: { clientCertificate: PEM, clientKey: KEY, caCertificate: PEM } },
    ],
    [
      'http',
      {
        url,
        auth_method: 'oauth2-cc',
        oauth_token_url: 'https://id.example/token',
        oauth_client_id: 'kim',
        oauth_client_secret: 's',
        oauth_audience: 'shop',
        oauth_auth_method: 'client_secret_post',
      },
      {
        config: { auth: { kind: 'oauth2', clientId: 'kim', audience: 'shop', tokenAuthMethod: 'client_secret_post' } },
      },
    ],
    ['ping', { hostname: 'a.example', packet_size: 1_000 }, { type: 'ping', config: { packetBytes: 1_000 } }],
    ['http', { url, upside_down: 1 }, { type: 'http', config: { upsideDown: true } }],
    ['port', { hostname: 'db.example', port: 5432, upside_down: 1 }, { type: 'tcp', config: { upsideDown: true } }],
    ['port', { hostname: 'db.example', port: 5432 }, { type: 'tcp', config: { host: 'db.example', port: 5432 } }],
    [
      'redis',
      { database_connection_string: 'rediss://probe:p%40ss@[2001:db8::1]:6380/0', ignore_tls: 1 },
      {
        type: 'redis',
        config: { host: '2001:db8::1', port: 6380, username: 'probe', password: 'p@ss', tls: true, verifyTls: false },
      },
    ],
    [
      'redis',
      { database_connection_string: 'redis://:secret@a.example' },
      { config: { port: 6379, password: 'secret' } },
    ],
    [
      'postgres',
      {
        database_connection_string: 'postgres://probe:100%@db.example/shop?sslmode=no-verify',
        database_query: 'SELECT count(*) FROM jobs',
        conditions: '[{"type":"expression","variable":"result","operator":"equals","value":"0"}]',
      },
      {
        type: 'postgresql',
        config: {
          host: 'db.example',
          port: 5432,
          username: 'probe',
          password: '100%',
          database: 'shop',
          tls: true,
          verifyTls: false,
          query: 'SELECT count(*) FROM jobs',
          expectedValue: '0',
        },
      },
    ],
    [
      'mysql',
      { database_connection_string: 'mysql://probe:old@db.example:3307/shop', radius_password: 'newer' },
      {
        type: 'mysql',
        config: { host: 'db.example', port: 3307, username: 'probe', password: 'newer', database: 'shop', tls: false },
      },
    ],
    [
      'mqtt',
      {
        hostname: 'mqtts://broker.example',
        port: 8883,
        mqtt_topic: 'plant/+/status',
        mqtt_username: 'probe',
        mqtt_password: 'secret',
        mqtt_success_message: 'ok',
        interval: 20,
        timeout: 48,
      },
      {
        type: 'mqtt',
        config: {
          host: 'broker.example',
          port: 8883,
          tls: true,
          topic: 'plant/+/status',
          username: 'probe',
          password: 'secret',
          expect: 'ok',
          timeoutMs: 16_000,
        },
      },
    ],
    [
      'mqtt',
      {
        hostname: 'a.example',
        port: 1883,
        mqtt_topic: 'a',
        mqtt_check_type: 'json-query',
        json_path: 'b.c',
        expected_value: '1',
      },
      { config: { tls: false, jsonPath: '$.b.c', expectedValue: '1' } },
    ],
    ['ping', { hostname: '192.0.2.1' }, { type: 'ping', config: { host: '192.0.2.1', packetCount: 1 } }],
    [
      'dns',
      { hostname: 'a.example', dns_resolve_type: 'MX', dns_resolve_server: '1.1.1.1', port: 5353 },
      {
        type: 'dns',
        config: { host: 'a.example', recordType: 'MX', resolver: '1.1.1.1:5353' },
      },
    ],
    [
      'push',
      { interval: 3600, maxretries: 2, retry_interval: 30 },
      {
        type: 'heartbeat',
        intervalSeconds: 3600,
        config: { graceSeconds: 60 },
      },
    ],
    ['push', { interval: 3600, maxretries: 2 }, { config: { graceSeconds: 7_200 } }],
    ['http', { url, maxretries: 1, interval: 30 }, { config: { confirm: { failures: 2, retryDelayMs: 30_000 } } }],
    ['http', { url, active: 0, interval: 90_000 }, { isActive: false, intervalSeconds: 86_400 }],
  ])('converts %s %j', async (type, row, expected) => {
    expect(await monitorOf({ type, ...row })).toMatchObject({ input: expected });
  });

  it.each([
    ['docker', {}, 'Containers are not supported'],
    ['radius', {}, 'no such monitor type'],
    ['postgres', { database_connection_string: 'host=/run user=a' }, 'no URL that starts with postgres://'],
    ['mysql', { database_connection_string: 'mysql:///shop?socketPath=/run/x' }, 'local socket'],
    ['mqtt', { hostname: 'wss://a.example', port: 443, mqtt_topic: 'a' }, 'MQTT over WebSocket'],
    ['mqtt', { hostname: 'a.example', mqtt_topic: 'a', conditions: '[{"variable":"topic"}]' }, 'Conditions'],
    ['redis', { database_connection_string: 'redis://a.example', upside_down: 1 }, 'Upside down'],
    ['http', { url, auth_method: 'ntlm' }, 'NTLM'],
    ['http', { url, auth_method: 'mtls', tls_cert: PEM, tls_key: 'none' }, 'config.clientKey'],
    ['http', { url, proxy_id: 1 }, 'proxy'],
    ['http', { url: 'ftp://northwind.example' }, 'config.url'],
    ['json-query', { url, json_path: '$sum(a)', expected_value: '1' }, 'JSONata'],
    ['constructor', {}, 'no such monitor type'],
  ])('leaves out %s %j with the reason', async (type, row, reason) => {
    expect(await monitorOf({ type, ...row })).toEqual({
      kind: 'monitor',
      name: 'One',
      from: type,
      reason: expect.stringContaining(reason),
    });
  });

  it.each([
    ['http', { url, timeout: 90 }, 'The timeout of 90 s becomes 60 s'],
    ['ping', { hostname: 'a.example', packet_size: 65_500 }, 'Its packet size of 65500 bytes becomes 1472.'],
    ['keyword', { url, keyword: '{"a":1}' }, 'removes the spaces of a JSON response'],
    ['dns', { hostname: 'a.example', dns_resolve_server: '1.1.1.1, 8.8.8.8' }, 'Only the first name server, 1.1.1.1,'],
  ])('notes how %s %j differs', async (type, row, note) => {
    expect(await monitorOf({ type, ...row })).toMatchObject({ notes: [expect.stringContaining(note)] });
  });

  it('sends no credentials that remained from a former method', async () => {
    const monitor = await monitorOf({ type: 'http', url, basic_auth_user: 'a', basic_auth_pass: 'b' });
    expect(monitor).toMatchObject({ input: { config: expect.not.objectContaining({ auth: expect.anything() }) } });
  });

  it('leaves out what is damaged, and imports the rest', async () => {
    const monitor = [
      { id: 1, type: 'http', name: 'Percent', url: 'http://u:pa%ss@northwind.example/' },
      { id: 2, type: 'keyword', name: 'NUL', url, keyword: 'a\u0000b' },
      { id: 3, type: 'ping', name: 'Fine', hostname: 'a' },
    ];
    const maintenance = { strategy: 'single', start_date: 'soon', end_date: '2027-01-02 00:00:00' };
    const file = await kumaDatabase({
      monitor,
      maintenance: [{ id: 1, title: 'Dates', ...maintenance }],
      monitor_maintenance: [{ monitor_id: 3, maintenance_id: 1 }],
    });
    const draft = await read(file);
    expect(draft.monitors.map(({ name }) => name)).toEqual(['Fine']);
    expect(draft.leftOut.map(({ name, reason }) => [name, reason])).toEqual([
      ['Percent', 'Its settings are damaged.'],
      ['NUL', 'Text cannot contain NUL or unpaired surrogates.'],
      ['Dates', expect.any(String)],
    ]);
  });

  it('makes tags of groups and tags, and pauses what its group pauses', async () => {
    const draft = await read(
      await kumaDatabase({
        monitor: [
          { id: 1, type: 'group', name: 'Shop', active: 0 },
          { id: 2, type: 'group', name: 'Backend', parent: 1 },
          { id: 3, type: 'ping', name: 'Db', hostname: 'db', parent: 2, push_token: 'x' },
          { id: 4, type: 'group', name: 'Loop', parent: 5 },
          { id: 5, type: 'group', name: 'Loop', parent: 4 },
          { id: 6, type: 'ping', name: 'In a loop', hostname: 'db', parent: 5 },
        ],
        tag: [{ id: 1, name: 'Owner' }],
        monitor_tag: [{ monitor_id: 3, tag_id: 1, value: 'Team A' }],
      }),
    );
    const [db, looped] = draft.monitors;
    expect(db).toMatchObject({
      input: { tags: ['shop', 'backend', 'owner: team a'], isActive: false },
      pingToken: null,
    });
    expect(looped?.input.tags).toEqual(['loop']);
  });
});

it('converts notifications, maintenance and status pages, and leaves out the rest with reasons', async () => {
  const notification = (id: number, config: object) => ({ id, name: `N${id}`, config: JSON.stringify(config) });
  const draft = await read(
    await kumaDatabase({
      monitor: [
        { id: 1, type: 'ping', name: 'A', hostname: 'a' },
        { id: 2, type: 'ping', name: 'B', hostname: 'b' },
      ],
      notification: [
        notification(1, { type: 'slack', slackwebhookURL: 'https://hooks.slack.com/services/T/B/X' }),
        notification(2, { type: 'smtp', smtpTo: 'Ops <ops@a.example>, dev@a.example' }),
        notification(3, { type: 'Bark' }),
      ],
      monitor_notification: [
        { monitor_id: 1, notification_id: 1 },
        { monitor_id: 1, notification_id: 2 },
        { monitor_id: 2, notification_id: 3 },
      ],
      maintenance: [
        {
          id: 1,
          title: 'Weekly',
          strategy: 'recurring-weekday',
          start_time: '23:30',
          end_time: '01:00',
          weekdays: '[1,0]',
          timezone: 'Europe/Berlin',
        },
        {
          id: 2,
          title: 'Monthly',
          strategy: 'recurring-day-of-month',
          start_time: '02:00',
          end_time: '03:00',
          days_of_month: '["lastDay1",1]',
          timezone: 'UTC',
        },
        {
          id: 3,
          title: 'Third',
          strategy: 'recurring-interval',
          start_time: '02:00',
          end_time: '03:00',
          interval_day: 3,
          start_date: '2026-11-01 00:00:00',
          timezone: 'UTC',
          end_date: '2027-01-01 00:00:00',
        },
        { id: 4, title: 'Cron', strategy: 'cron', cron: '15 3 * 1,12 1-5', duration: 3600, timezone: 'SAME_AS_SERVER' },
        { id: 5, title: 'Often', strategy: 'cron', cron: '*/5 * * * *', duration: 60 },
        { id: 6, title: 'By hand', strategy: 'manual' },
        {
          id: 7,
          title: 'Past',
          strategy: 'single',
          start_date: '2026-01-01 00:00:00',
          end_date: '2026-01-02 00:00:00',
        },
      ],
      monitor_maintenance: [1, 2, 3, 4, 5, 6, 7].map((id) => ({ monitor_id: 1, maintenance_id: id })),
      setting: [{ key: 'serverTimezone', value: '"America/New_York"' }],
      status_page: [{ id: 1, slug: 'northwind', title: 'Northwind' }],
      group: [
        { id: 1, weight: 2, status_page_id: 1 },
        { id: 2, weight: 1, status_page_id: 1 },
      ],
      monitor_group: [
        { monitor_id: 1, group_id: 1, weight: 1 },
        { monitor_id: 2, group_id: 2, weight: 1 },
      ],
    }),
  );
  expect(draft.channels.map(({ key, name, input }) => [key, name, input.type, input.config])).toEqual([
    ['1', 'N1', 'slack', { webhookUrl: 'https://hooks.slack.com/services/T/B/X' }],
    ['2', 'N2', 'email', { to: 'ops@a.example' }],
    ['2.1', 'N2 2', 'email', { to: 'dev@a.example' }],
  ]);
  expect(draft.monitors.map(({ channelKeys, notes }) => [channelKeys, notes])).toEqual([
    [['1', '2', '2.1'], []],
    [null, ['None of its notifications is carried over. It alerts all channels of the team.']],
  ]);
  expect(
    draft.windows.map(({ input: { title, startsAt, endsAt, recurrence } }) => [title, startsAt, endsAt, recurrence]),
  ).toEqual([
    ['Weekly', '2026-11-29T22:30:00.000Z', '2026-11-30T00:00:00.000Z', 'FREQ=WEEKLY;BYDAY=MO,SU'],
    ['Monthly', '2026-11-30T02:00:00.000Z', '2026-11-30T03:00:00.000Z', 'FREQ=MONTHLY;BYMONTHDAY=-1,1'],
    ['Third', '2026-11-28T02:00:00.000Z', '2026-11-28T03:00:00.000Z', 'FREQ=DAILY;INTERVAL=3;UNTIL=20270101T000000Z'],
    ['Cron', '2026-12-01T08:15:00.000Z', '2026-12-01T09:15:00.000Z', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYMONTH=1,12'],
  ]);
  expect(draft.pages).toMatchObject([{ monitorKeys: ['2', '1'], input: { slug: 'northwind', isPublic: false } }]);
  expect(draft.leftOut.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'channel N3',
    'window Often',
    'window By hand',
    'window Past',
  ]);
});

describe('history of Uptime Kuma', () => {
  const monitor = [{ id: 1, type: 'ping', name: 'A', hostname: 'a' }];
  const day = Math.floor(now.getTime() / 86_400_000);

  it('counts the checks of version 1 by day, without today and without retries', async () => {
    const beat = (time: string, status: number) => ({ monitor_id: 1, time, status });
    const heartbeat = [
      beat('2026-11-25 10:00:00.000', 1),
      beat('2026-11-25 23:59:59.999', 0),
      beat('2026-11-26 00:00:00.000', 3),
      beat('2026-11-26 00:01:00.000', 2),
      beat('2026-11-27 00:00:00.000', 1),
      beat('soon', 1),
    ];
    const draft = await read(await kumaDatabase({ monitor, heartbeat }));
    expect(draft.monitors[0]?.days).toEqual([
      [day - 2, 1, 1, 0],
      [day - 1, 0, 0, 1],
    ]);
  });

  it('uses the daily sums of version 2 instead of its checks', async () => {
    const heartbeat = [{ monitor_id: 1, time: '2026-11-25 10:00:00.000', status: 0 }];
    const stat_daily = [{ monitor_id: 1, timestamp: (day - 2) * 86_400, up: 1_430, down: 10 }];
    const draft = await read(await kumaDatabase({ monitor, heartbeat, stat_daily }, { version: 2 }));
    expect(draft).toMatchObject({ version: '2', monitors: [{ days: [[day - 2, 1_430, 10, 0]] }] });
  });
});

describe('files', () => {
  const monitorList = [
    {
      id: 1,
      type: 'push',
      name: 'Job',
      pushToken: 'abcdef0123456789',
      retryInterval: 30,
      maxretries: 1,
      interval: 60,
      active: true,
      notificationIDList: { 1: true },
      tags: [{ name: 'Prod', value: '' }],
    },
  ];
  const notificationList = [
    { id: 1, name: 'Chat', config: '{"type":"discord","discordWebhookUrl":"https://discord.com/api/webhooks/1/a"}' },
  ];
  const backup = Buffer.from(JSON.stringify({ version: '1.23.0', monitorList, notificationList }));

  it.each([
    ['a backup', backup],
    ['a compressed backup', gzipSync(backup)],
  ])('reads %s', async (_name, file) => {
    expect(await read(file)).toMatchObject({
      version: '1.23.0',
      channels: [{ input: { type: 'discord' } }],
      monitors: [
        { pingToken: 'abcdef0123456789', channelKeys: ['1'], input: { tags: ['prod'], config: { graceSeconds: 30 } } },
      ],
    });
  });

  it('reads a database in WAL mode', async () => {
    const file = await kumaDatabase({ monitor: [{ type: 'ping', name: 'A', hostname: 'a' }] });
    file.fill(2, 18, 20);
    expect((await read(file)).monitors).toHaveLength(1);
  });

  it.each([
    ['text', Buffer.from('hello'), 'neither a database nor valid JSON'],
    ['other JSON', Buffer.from('[]'), 'no monitorList'],
    ['a damaged archive', Buffer.from([0x1f, 0x8b, 1, 2]), 'damaged'],
    ['an archive that decompresses to too much', gzipSync(Buffer.alloc(101 * 1024 * 1024)), 'over 100 MB'],
    ['a damaged database', Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(4_000, 7)]), 'damaged'],
  ])('refuses %s', async (_name, file, problem) => {
    expect(await run(file)).toEqual({ problem: expect.stringContaining(problem) });
  });

  it.each([
    ['a view', 'drop table monitor; create view monitor as select 1 as id, 2 as type, 3 as name'],
    ['another database', 'drop table monitor; create table monitor (id integer)'],
  ])('refuses %s in place of the table of monitors', async (_name, sql) => {
    expect(await run(await kumaDatabase({}, { sql }))).toEqual({
      problem: expect.stringContaining('not a database of Uptime Kuma'),
    });
  });

  const manyTags = `with recursive n(i) as (select 1 union all select i + 1 from n where i < 4000)
    insert into tag (name) select i from n`;

  it.each([
    ['generated columns', 'hex(zeroblob(300000000))'],
    ['generated blobs', 'zeroblob(10000000)'],
  ])('reads no %s, which need far more memory than the file has bytes', async (_name, value) => {
    const sql = `${manyTags}; alter table tag add column more as (${value})`;
    expect(await run(await kumaDatabase({}, { sql }))).toMatchObject({ draft: { monitors: [] } });
  });

  it('reads no blobs', async () => {
    const sql = `insert into monitor (type, name, hostname, description) values ('ping', 'A', 'a', x'41')`;
    expect(await run(await kumaDatabase({}, { sql }))).toMatchObject({ draft: { monitors: [{ notes: [] }] } });
  });

  it('refuses more settings than a draft can have', async () => {
    const monitor = { type: 'http', name: 'A', url, body: 'x'.repeat(60_000) };
    const monitorList = Array.from({ length: 80 }, (_, id) => ({ id, ...monitor }));
    const file = Buffer.from(JSON.stringify({ monitorList }));
    expect(await run(file)).toEqual({ problem: expect.stringContaining('over 4 MB') });
  });

  it('refuses texts that are too long together', async () => {
    const sql = `${manyTags}; alter table tag add column more text default '${'x'.repeat(10_000)}'`;
    expect(await run(await kumaDatabase({}, { sql }))).toEqual({ problem: expect.stringContaining('too long') });
  });
});
