import { beforeAll, describe, expect, it } from 'vitest';
import { readImport, tryImport } from '@/tests/support/read-import';

const run = (text: string) => tryImport('gatus', text);
const read = (text: string) => readImport('gatus', text);

/** The only endpoint of a file: what it becomes, or why it is left out. */
async function endpoint(fields: Record<string, unknown>) {
  const row = { name: 'One', url: 'https://northwind.example/', conditions: ['[CONNECTED] == true'], ...fields };
  const draft = await read(JSON.stringify({ endpoints: [row] }));
  return draft.monitors[0] ?? draft.leftOut[0];
}

// The first read loads the schemas of all objects.
beforeAll(async () => void (await run('endpoints: []')), 60_000);

describe('endpoints of Gatus', () => {
  it.each([
    [
      { url: 'https://northwind.example/health', conditions: ['[STATUS] == 200', '[RESPONSE_TIME] < 500'] },
      {
        type: 'http',
        config: {
          url: 'https://northwind.example/health',
          expectedStatus: ['200'],
          assertions: [{ source: 'latency', operator: 'lessThan', value: 500 }],
          certificateWarnDays: 0,
        },
      },
    ],
    [{}, { config: { expectedStatus: ['100-599'], verifyTls: true, followRedirects: true } }],
    [{ conditions: ['[STATUS] < 300', '[STATUS] != 204'] }, { config: { expectedStatus: ['100-203', '205-299'] } }],
    [{ conditions: ['[STATUS] == any(200, 429)'] }, { config: { expectedStatus: ['200', '429'] } }],
    [{ conditions: ['[STATUS] == pat(2*)'] }, { config: { expectedStatus: ['200-299'] } }],
    [{ conditions: ['400 <= [STATUS]'] }, { config: { expectedStatus: ['400-599'] } }],
    [
      {
        conditions: [
          '[BODY].user.first-name == john',
          '[BODY].data[0].id == any(1, 2.5)',
          '[BODY] == pat(*<h1>Up</h1>*)',
          '[BODY].name == pat(jo?n*)',
          'has([BODY].errors) == false',
          'has([BODY].data) == true',
          '[BODY].age > 18',
          '[BODY].age <= 30 ',
          '[BODY] != pat(*test*)',
          '[BODY] == OK',
        ],
      },
      {
        config: {
          assertions: [
            { source: 'json', property: "$.user['first-name']", operator: 'equals', value: 'john' },
            { source: 'json', property: '$.data[0].id', operator: 'matches', value: '(?s)^(1|2\\.5)$' },
            { source: 'body', operator: 'contains', value: '<h1>Up</h1>' },
            { source: 'json', property: '$.name', operator: 'matches', value: '(?s)^(jo.n.*)$' },
            { source: 'json', property: '$.errors', operator: 'notExists' },
            { source: 'json', property: '$.data', operator: 'notEquals', value: 'null' },
            { source: 'json', property: '$.age', operator: 'greaterThan', value: 18 },
            { source: 'json', property: '$.age', operator: 'lessThan', value: 31 },
            { source: 'body', operator: 'notContains', value: 'test' },
            { source: 'body', operator: 'matches', value: '(?s)^\\s*(OK)\\s*$' },
          ],
        },
      },
    ],
    [
      {
        url: 'ssh://example.org',
        ssh: { username: '', password: '' },
        conditions: ['[CONNECTED] == true', '[STATUS] == 0'],
      },
      { type: 'ssh', config: { host: 'example.org', port: 22 } },
    ],
    [
      { url: 'ssh://[2001:db8::1]:2222', conditions: ['[RESPONSE_TIME] < 500'] },
      { type: 'ssh', config: { host: '2001:db8::1', port: 2222, timeoutMs: 500 } },
    ],
    [
      { url: 'tls://a.example:443', client: { insecure: true } },
      { type: 'tls', config: { verifyTls: false } },
    ],
    [
      { url: 'starttls://a.example:25', client: { insecure: true } },
      { type: 'smtp', config: { verifyTls: false } },
    ],
    [
      { url: 'wss://a.example', client: { insecure: true } },
      { type: 'websocket', config: { verifyTls: false } },
    ],
    [
      { url: 'grpcs://a.example:1', client: { insecure: true } },
      { type: 'grpc', config: { verifyTls: false } },
    ],
    [
      { conditions: ['[CERTIFICATE_EXPIRATION] > 49h', '[DOMAIN_EXPIRATION] > 720h'] },
      {
        config: { certificateWarnDays: 3 },
        notes: expect.arrayContaining([expect.stringContaining('domain'), expect.stringContaining('a warning here')]),
      },
    ],
    [
      {
        method: 'post',
        graphql: true,
        body: '{ user { name } }',
        headers: { 'X-Pin': '007', Authorization: 'Bearer a$$b' },
        client: { insecure: true, 'ignore-redirect': true, timeout: '1m30s' },
      },
      {
        config: {
          method: 'POST',
          body: '{"query":"{ user { name } }"}',
          headers: { 'X-Pin': '007', Authorization: 'Bearer a$b', 'content-type': 'application/json' },
          verifyTls: false,
          followRedirects: false,
          timeoutMs: 60_000,
        },
      },
    ],
    [
      {
        client: {
          oauth2: {
            'token-url': 'https://id.example/token',
            'client-id': 'a',
            'client-secret': 'b',
            scopes: ['x', 'y'],
          },
        },
      },
      { config: { auth: { kind: 'oauth2', clientId: 'a', clientSecret: 'b', scope: 'x y' } } },
    ],
    [
      { url: 'tcp://[2001:db8::1]:6379', body: 'PING', conditions: ['[BODY] == pat(*PONG*)', '[RESPONSE_TIME] < 1s'] },
      { type: 'tcp', config: { host: '2001:db8::1', port: 6379, send: 'PING', expect: 'PONG', timeoutMs: 1_000 } },
    ],
    [
      { url: 'icmp://192.0.2.1', conditions: ['[RESPONSE_TIME] < 50'] },
      { type: 'ping', config: { maxRoundTripMs: 50, timeoutMs: 10_000 } },
    ],
    [{ url: 'icmp://192.0.2.1' }, { type: 'ping', config: { host: '192.0.2.1', packetCount: 1 } }],
    [
      { url: 'starttls://smtp.example:587', conditions: ['[CERTIFICATE_EXPIRATION] > 48h'] },
      { type: 'smtp', config: { host: 'smtp.example', port: 587, security: 'starttls', certificateWarnDays: 2 } },
    ],
    [{ url: 'tls://ldap.example:636' }, { type: 'tls', config: { host: 'ldap.example', port: 636, warnDays: 0 } }],
    [
      { url: 'wss://echo.example/', body: 'hi', conditions: ['[BODY] == pat(*hi*)'] },
      { type: 'websocket', config: { url: 'wss://echo.example/', send: 'hi', expect: 'hi' } },
    ],
    [
      { url: 'grpcs://vault.example:443', conditions: ['[BODY].status == SERVING'] },
      { type: 'grpc', config: { host: 'vault.example', port: 443, tls: true } },
    ],
    [
      {
        url: '8.8.8.8:53',
        dns: { 'query-name': 'example.org.', 'query-type': 'A' },
        conditions: ['[BODY] == any(192.0.2.1, 192.0.2.2)', '[DNS_RCODE] == NOERROR'],
      },
      {
        type: 'dns',
        config: {
          host: 'example.org',
          recordType: 'A',
          resolver: '8.8.8.8',
          expect: { match: 'any', values: ['192.0.2.1', '192.0.2.2'] },
        },
      },
    ],
    [
      {
        url: '1.1.1.1',
        dns: { 'query-name': 'example.org', 'query-type': 'a' },
        conditions: ['[BODY] == pat(*.*.*.*)'],
      },
      { type: 'dns', config: { recordType: 'A', resolver: '1.1.1.1' } },
    ],
    [
      { interval: '1h30m', enabled: false, group: 'Core' },
      { intervalSeconds: 5_400, isActive: false, tags: ['core'] },
    ],
  ])('converts %j', async (fields, expected) => {
    const found = await endpoint(fields);
    if (!found || !('input' in found)) throw new Error(`Left out: ${found?.reason}`);
    expect({ ...found.input, notes: found.notes }).toMatchObject(expected);
  });

  it.each([
    [{ conditions: ['len([BODY].data) < 5'] }, 'The condition len([BODY].data) < 5 has no counterpart.'],
    [{ conditions: ['[IP] == 127.0.0.1'] }, 'The condition [IP] == 127.0.0.1 has no counterpart.'],
    [{ conditions: ['[BODY].a == [BODY].b'] }, 'has no counterpart'],
    [{ conditions: ['[BODY].a != any(1, 2)'] }, 'has no counterpart'],
    [{ conditions: ['[BODY] == pat([ab]*)'] }, 'has no counterpart'],
    [{ conditions: ['[STATUS] > 600'] }, 'no status code'],
    [{ conditions: ['nonsense'] }, 'has no counterpart'],
    [{ conditions: ['[BODY] != error'] }, 'has no counterpart'],
    [{ conditions: ['[BODY].errors != pat(*timeout*)'] }, 'has no counterpart'],
    [{ conditions: ['[CERTIFICATE_EXPIRATION] > 9000h'] }, 'has no counterpart'],
    [{ conditions: [] }, 'It has no conditions.'],
    [{ conditions: [{ a: 1 }] }, 'conditions is not a list of texts.'],
    [{ url: { toString: 'x' } }, 'no such monitor type'],
    [{ url: 'tcp://a.example:1', conditions: ['[RESPONSE_TIME] < 50'] }, 'below 100 ms'],
    [{ url: 'tls://a.example:443', body: 'hi' }, 'A message over TLS'],
    [{ url: 'ssh://example.org', ssh: { username: 'kim' } }, 'A login with SSH'],
    [{ url: 'udp://example.org:53' }, 'UDP is not supported'],
    [{ url: 'tcp://example.org' }, 'no port'],
    [{ client: { 'proxy-url': 'http://p' } }, 'through a proxy'],
    [{ client: { 'dns-resolver': 'tcp://8.8.8.8:53' } }, 'DNS resolver'],
    [{ client: { tls: { 'certificate-file': 'a.pem' } } }, 'client certificate is in a file'],
    [{ client: { timeout: 'soon' } }, 'not a valid duration'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference as Gatus has it
    [{ headers: { Authorization: 'Bearer ${TOKEN}' } }, 'environment variable ${TOKEN}'],
    [{ body: '[RANDOM_STRING_8]' }, '[RANDOM_STRING_8]'],
    [{ url: 'grpc://example.org:443', conditions: ['[STATUS] == 200'] }, 'status are not supported'],
    [{ url: 'https://a:b@northwind.example/' }, 'username and password'],
  ])('leaves out %j with the reason', async (fields, reason) => {
    expect(await endpoint(fields)).toMatchObject({
      kind: 'monitor',
      name: 'One',
      reason: expect.stringContaining(reason),
    });
  });
});

const ALERTING = `
alerting:
  slack:
    webhook-url: https://hooks.slack.com/services/T/B/X
    default-alert: { failure-threshold: 5, success-threshold: 3 }
    overrides:
      - group: core
        webhook-url: https://hooks.slack.com/services/T/B/CORE
  telegram: { token: "123456:abcdefghijklmnopqrstuvwxyz", id: "-100123" }
  email: { from: a@northwind.example, to: "kim@northwind.example, ops@northwind.example" }
  github: { repository-url: "https://github.com/a/b", token: x }
endpoints:
  - name: shop
    group: core
    url: https://northwind.example/
    interval: 30s
    conditions: ["[STATUS] == 200"]
    alerts: [{ type: slack }, { type: telegram, failure-threshold: 2, success-threshold: 4 }, { type: unknown }]
    maintenance-windows: [{ start: "23:00", duration: 1h, timezone: Europe/Berlin, every: [Monday, Friday] }]
  - name: blog
    url: https://northwind.example/blog
    conditions: ["[STATUS] == 200"]
    alerts: [{ type: slack }, { type: email }, { type: github, enabled: true }, { type: telegram, enabled: false }]
  - name: quiet
    url: https://northwind.example/quiet
    conditions: ["[STATUS] == 200"]
external-endpoints:
  - { name: nightly, group: jobs, token: potato, heartbeat: { interval: 24h }, alerts: [{ type: github }] }
  - { name: anything, token: potato }
suites:
  - { name: checkout, endpoints: [] }
maintenance: { start: "02:00", duration: 30m }
`;

it('reads channels, thresholds, pushed endpoints and maintenance', async () => {
  const draft = await read(ALERTING);
  expect(draft.channels.map(({ input }) => [input.type, input.name, input.config])).toEqual([
    ['slack', 'Slack', { webhookUrl: 'https://hooks.slack.com/services/T/B/CORE' }],
    ['telegram', 'Telegram', expect.objectContaining({ chatId: '-100123' })],
    ['slack', 'Slack 2', { webhookUrl: 'https://hooks.slack.com/services/T/B/X' }],
    ['email', 'Email', expect.objectContaining({ to: 'kim@northwind.example' })],
    ['email', 'Email 2', expect.objectContaining({ to: 'ops@northwind.example' })],
  ]);
  const [core, chat, slack, kim, ops] = draft.channels.map(({ key }) => key);
  // External IDs are made of them, which viewers see.
  expect([core, chat, slack, kim, ops]).toEqual(['slack@core', 'telegram', 'slack', 'email', 'email.1']);
  const [shop, blog, quiet, nightly] = draft.monitors;
  expect(shop).toMatchObject({
    key: 'core_shop',
    channelKeys: [core, chat],
    input: { tags: ['core'], config: { confirm: { failures: 2, recoveries: 3, retryDelayMs: 30_000 } } },
  });
  expect(blog).toMatchObject({
    channelKeys: [slack, kim, ops],
    input: { config: { confirm: { failures: 3, recoveries: 2 } } },
    notes: expect.arrayContaining(['Some of its alerts are not carried over.']),
  });
  expect(quiet).toMatchObject({ channelKeys: [], notes: ['It has no alerts, and alerts no channel.'] });
  expect(nightly).toMatchObject({
    channelKeys: null,
    input: { type: 'heartbeat', intervalSeconds: 86_400, config: { graceSeconds: 172_860 } },
  });
  expect(draft.leftOut.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'channel github',
    'monitor anything',
    'monitor checkout',
  ]);
  expect(draft.windows.map(({ monitorKeys, input }) => ({ monitorKeys, ...input }))).toMatchObject([
    {
      monitorKeys: ['core_shop', '_blog', '_quiet', 'jobs_nightly'],
      startsAt: '2026-11-27T02:00:00.000Z',
      endsAt: '2026-11-27T02:30:00.000Z',
      recurrence: 'FREQ=DAILY',
    },
    {
      monitorKeys: ['core_shop'],
      startsAt: '2026-11-27T22:00:00.000Z',
      timezone: 'Europe/Berlin',
      recurrence: 'FREQ=WEEKLY;BYDAY=MO,FR',
    },
  ]);
});

it.each([
  ['a: [', 'not valid YAML'],
  [
    `a: &a [x, x]\n${[...'bcdefghijklmnop'].map((each, i) => `${each}: &${each} [${`*${'abcdefghijklmno'[i]}, `.repeat(9)}]`).join('\n')}`,
    'uses anchors',
  ],
  ['just text', 'not a configuration of Gatus'],
  ['endpoints: []', 'not a configuration of Gatus'],
])('says what is wrong with %j', async (text, problem) => {
  expect(await run(text)).toEqual({ problem: expect.stringContaining(problem) });
});

it('is the same for the same file, so that a second import finds the objects of the first', async () => {
  const [one, two] = [await read(ALERTING), await read(ALERTING)];
  expect(one).toEqual(two);
  expect(one.instance).toMatch(/^[0-9a-f]{12}$/);
});

it('reads a file that uses an anchor in each of 1,000 endpoints', async () => {
  const rows = Array.from(
    { length: 1_000 },
    (_, n) => `  - { <<: *each, name: "e${n}", url: "https://e${n}.example/" }`,
  );
  const draft = await read(
    `each: &each { interval: 30s, conditions: ["[STATUS] == 200"] }\nendpoints:\n${rows.join('\n')}`,
  );
  expect(draft.monitors).toHaveLength(1_000);
  expect(draft.monitors[999]?.input).toMatchObject({ name: 'e999', intervalSeconds: 30 });
}, 30_000);

it('quotes nothing of a file that is not valid YAML', async () => {
  const result = await run('alerting:\n  slack: { webhook-url: "https://hooks.slack.com/secret" ]\n');
  expect(JSON.stringify(result)).toMatch(/not valid YAML: .+ at line 2/);
  expect(JSON.stringify(result)).not.toContain('secret');
});
