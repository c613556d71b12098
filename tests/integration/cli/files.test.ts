import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from '@/cli/files';
import { apply, exportTeam, FileProblems, plan } from '@/cli/main';
import { mayBeSecret, secretFields, variableFor } from '@/cli/secrets';
import { toKey } from '@/cli/state';
import { handleRest } from '@/server/api/rest/handle';
import { MonitorType } from '@/server/monitor-types/schema';
import { db } from '@/server/platform/db';
import { httpKinds, kindSpecs } from '@/tests/support/channel-kinds';
import { newPushBrowser } from '@/tests/support/push-browser';
import { call, httpMonitor, makeKey, type Person, signUp } from '@/tests/support/rest';

const folder = mkdtempSync(join(tmpdir(), 'upwatch-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
/** Writes a file for one apply. */
function write(text: string): string {
  files += 1;
  const file = join(folder, `${files}.yaml`);
  writeFileSync(file, text);
  return file;
}

interface Client {
  person: Person;
  /** What the last command printed. */
  printed(): string;
  plan(text: string, env?: Environment): Promise<boolean>;
  apply(text: string, env?: Environment, yes?: boolean): Promise<boolean>;
  export(showsTexts?: boolean): Promise<string>;
  list(path: string, name: string): Promise<{ id: string; name: string; externalId: string | null }[]>;
}

async function clientOf(person: Person): Promise<Client> {
  let lines: string[] = [];
  const key = await makeKey(person);
  const connection = { url: 'http://127.0.0.1:3000', key, fetch: handleRest };
  const context = (env: Environment) => {
    lines = [];
    return { ...connection, env, json: false, color: false, print: (text: string) => void lines.push(text) };
  };
  const prompts = (yes: boolean) => ({ yes, ask: null, progress: () => {} });
  return {
    person,
    printed: () => lines.join('\n'),
    plan: (text, env = {}) => plan([write(text)], context(env)),
    apply: (text, env = {}, yes = true) => apply([write(text)], context(env), prompts(yes)),
    export: (showsTexts = false) => exportTeam(connection, { project: 'main', showsTexts, schema: null }),
    list: async (path, name) => (await call(person, 'GET', path))[name],
  };
}

const newClient = async () => clientOf(await signUp());
const auditEntries = ({ person }: Client) => db.auditEntry.count({ where: { teamId: person.teamId } });

/** A config of each monitor type, with every kind of secret. */
const monitorConfigs: Record<MonitorType, Record<string, unknown>[]> = {
  http: [
    {
      url: 'https://a.test/x?token=in-the-query',
      method: 'POST',
      headers: { 'X-Api-Key': 'key-in-a-header', 'X-Custom': 'text-in-a-header', Accept: 'text/html' },
      body: `{"query": "\${NOT_A_VARIABLE}"}`,
      auth: { kind: 'basic', username: 'robin', password: 'basic-password' },
      assertions: [{ source: 'json', property: '$.ok', operator: 'equals', value: 'true' }],
      confirm: { failures: 2 },
    },
    { url: 'https://a.test/', auth: { kind: 'bearer', token: 'bearer-token-1' }, timeoutMs: 3_000 },
    {
      url: 'https://a.test/',
      auth: { kind: 'oauth2', tokenUrl: 'https://id.test/token', clientId: 'c', clientSecret: 'oauth-secret-1' },
    },
  ],
  tcp: [{ host: 'a.test', port: 25, tls: true, send: 'text-that-is-sent', expect: 'ok' }],
  ping: [{ host: 'a.test', packetCount: 5 }],
  dns: [{ host: 'a.test', recordType: 'MX', expect: { match: 'any', values: ['10 mx.a.test'] } }],
  tls: [{ host: 'a.test', serverName: 'b.test', warnDays: 7 }],
  domain: [{ domain: 'northwind.example', warnDays: 45 }],
  websocket: [{ url: 'wss://a.test/', headers: { Authorization: 'Bearer ws-token-1' }, send: 'ws-text' }],
  grpc: [{ host: 'a.test', port: 50051, service: 'shop.Cart', tls: true }],
  smtp: [{ host: 'a.test', security: 'starttls' }],
  redis: [{ host: 'a.test', username: 'probe', password: 'redis-password', tls: true, role: 'primary' }],
  postgresql: [
    { host: 'a.test', username: 'probe', password: 'postgresql-password', query: 'SELECT 2', expectedValue: '2' },
  ],
  mysql: [{ host: 'a.test', username: 'probe', password: 'mysql-password', database: 'shop' }],
  mqtt: [
    { host: 'a.test', topic: 'a/+', username: 'probe', password: 'mqtt-password', jsonPath: '$.a', expectedValue: '1' },
  ],
  ssh: [{ host: 'a.test', expect: 'OpenSSH', pattern: '_(9|10)', degradedAfterMs: 800 }],
  mailbox: [{ host: 'a.test', protocol: 'pop3', username: 'probe', password: 'mailbox-password' }],
  multistep: [
    {
      steps: [
        {
          name: 'Log in',
          method: 'POST',
          url: 'https://a.test/login?key=key-in-a-step',
          headers: { 'X-Api-Key': 'step-header-key', Accept: 'application/json' },
          body: '{"password": "{{password}}"}',
          extract: [{ name: 'token', expression: '$.token' }],
        },
        {
          name: 'Cart',
          url: 'https://a.test/cart/{{token}}',
          headers: { Authorization: 'Bearer {{token}}' },
          assertions: [{ source: 'json', property: '$.ok', operator: 'equals', value: true }],
        },
      ],
      variables: { password: 'password-variable' },
    },
  ],
  heartbeat: [{ cron: '0 3 * * *', timezone: 'Europe/Berlin' }, { graceSeconds: 120 }],
};

/** The environment with the secrets of the team below, by the names in its export. */
const env: Environment = {};
const secrets: string[] = [];
let source: Client;

function noteSecrets(section: 'monitors' | 'channels', spec: { type: string; name: string; config: object }): void {
  for (const [path, field] of secretFields(section, spec as never)) {
    const value = String(
      path.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], spec),
    );
    if (!mayBeSecret(value, field)) continue;
    env[variableFor(section, toKey(spec.name, ''), path)] = value;
    secrets.push(value);
  }
}

beforeAll(async () => {
  source = await newClient();
  const { person } = source;
  const post = (path: string, body: object) => call(person, 'POST', path, body);
  const channelIds: string[] = [];
  const configs: [string, object][] = httpKinds.map((type) => [type, kindSpecs[type].config('https://hooks.test')]);
  const { publicKey: serverKey } = await call(person, 'GET', '/dashboard/push-key');
  configs.push(['email', { to: 'ops@example.test' }]);
  configs.push(['web_push', { ...newPushBrowser().keys, endpoint: 'https://push.test/abc', serverKey }]);
  for (const [type, config] of configs) {
    const spec = { type, name: `Channel ${type}`, config };
    noteSecrets('channels', spec);
    channelIds.push((await post('/api/v1/channels', spec)).channel.id);
  }
  const [first = '', second = '', third = ''] = channelIds;
  const monitorIds: string[] = [];
  for (const type of MonitorType.options) {
    for (const [index, config] of monitorConfigs[type].entries()) {
      const spec = { type, name: `${type} ${index}`, config };
      noteSecrets('monitors', spec);
      const more = { tags: ['all', type], severity: 'warning', channelIds: index === 0 ? [first, second] : null };
      const interval = 'cron' in config ? {} : { intervalSeconds: 120 };
      monitorIds.push((await post('/api/v1/monitors', { ...spec, ...more, ...interval })).monitor.id);
    }
  }
  const [one = '', two = '', three = ''] = monitorIds;
  await call(person, 'PUT', `/api/v1/monitors/${two}`, { isActive: false, regions: ['eu-west'] });
  // Two of one name, and one whose name has no letters.
  await post('/api/v1/monitors', httpMonitor({ name: 'Żółw & Co.' }));
  await post('/api/v1/monitors', httpMonitor({ name: 'zolw-co', externalId: null }));
  await post('/api/v1/monitors', httpMonitor({ name: '日本' }));
  await call(person, 'PUT', `/api/v1/monitors/${two}/parent`, { parentId: one });
  const email = configs.findIndex(([type]) => type === 'email');
  await call(person, 'PATCH', `/api/v1/channels/${channelIds[email]}/rules`, {
    monitorIds: [one, three],
    tags: ['all'],
    minSeverity: 'critical',
    events: ['down', 'recovered'],
    quietHours: { days: ['SA', 'SU'], from: '22:00', to: '07:00', timezone: 'Europe/Berlin' },
    maxPerMinute: 9,
    reminderMinutes: 30,
  });
  await call(person, 'PUT', `/api/v1/channels/${channelIds[email]}/templates`, {
    templates: [{ event: 'incident.opened', subject: '{{monitor.name}}', body: null }],
  });
  await call(person, 'PUT', `/api/v1/channels/${second}/fallback`, { fallbackChannelId: first });
  await call(person, 'PUT', '/api/v1/team/fallback-channel', { fallbackChannelId: third });
  await call(person, 'PATCH', '/api/v1/team/alert-grouping', { seconds: 60 });
  const { schedule } = await post('/api/v1/on-call/schedules', {
    name: 'Primary',
    timezone: 'Europe/Berlin',
    layers: [
      {
        name: 'Weekdays',
        userIds: [person.userId],
        rotation: { unit: 'weeks', every: 1 },
        startDate: '2026-11-16',
        handoverTime: '08:00',
        restrictions: [{ days: [1, 2, 3], from: '08:00', to: '18:00' }],
      },
    ],
  });
  await post('/api/v1/escalation-policies', {
    name: 'Everything',
    steps: [
      { targets: [{ type: 'schedule', id: schedule.id }], waitMinutes: 5 },
      {
        targets: [
          { type: 'user', id: person.userId },
          { type: 'channel', id: first },
        ],
        waitMinutes: 10,
      },
    ],
    repeat: 2,
    monitorIds: [one, two],
    tags: ['http'],
    minSeverity: 'warning',
  });
  const { maintenanceWindow } = await post('/api/v1/maintenance-windows', {
    title: 'Router',
    description: 'Two lines\nof text',
    startsAt: '2027-01-02T03:00:00Z',
    endsAt: '2027-01-02T05:00:00Z',
    recurrence: 'FREQ=WEEKLY;BYDAY=SA',
    timezone: 'Europe/Berlin',
    tags: ['http'],
    checks: 'pause',
    announceHours: 24,
  });
  const skip = { startsAt: '2027-01-09T03:00:00.000Z' };
  await post(`/api/v1/maintenance-windows/${maintenanceWindow.id}/skip`, skip);
  const times = { startsAt: '2027-03-01T00:00:00Z', endsAt: '2027-03-01T01:00:00Z' };
  await post('/api/v1/maintenance-windows', { title: 'Once', ...times, monitorIds: [one] });
  const past = { startsAt: '2025-03-01T00:00:00Z', endsAt: '2025-03-01T01:00:00Z' };
  await post('/api/v1/maintenance-windows', { title: 'Over', ...past });
  const { statusPage } = await post('/api/v1/status-pages', {
    slug: `files-${process.pid}`,
    title: 'Shop',
    description: 'All services',
    monitorIds: [three, one],
    displayNames: { [one]: 'Website' },
  });
  const component = { statusPageId: statusPage.id, name: 'Phone line', description: 'Weekdays' };
  const { component: phone } = await post('/api/v1/status-page-components', component);
  await call(person, 'PUT', `/api/v1/status-pages/${statusPage.id}`, { order: [one, phone.id, three] });
});

describe('export and apply', () => {
  it('carry a whole team into an empty one, without a secret, and export the same bytes', {
    timeout: 60_000,
  }, async () => {
    const text = await source.export();
    for (const secret of secrets) expect(text).not.toContain(secret);
    // A slug belongs to one page of the instance.
    for (const { id } of await source.list('/api/v1/status-pages', 'statusPages')) {
      await call(source.person, 'DELETE', `/api/v1/status-pages/${id}`);
    }
    const target = await newClient();
    const { userId } = source.person;
    await db.membership.create({ data: { teamId: target.person.teamId, userId, role: 'member' } });
    expect(await target.plan(text, env)).toBe(true);
    for (const secret of secrets) expect(target.printed()).not.toContain(secret);
    await target.apply(text, env);
    for (const secret of secrets) expect(target.printed()).not.toContain(secret);
    expect(await target.export()).toBe(text);

    const before = await auditEntries(target);
    expect([await target.plan(text, env), target.printed()]).toEqual([false, expect.stringContaining('No changes')]);
    await target.apply(text, env);
    expect(target.printed()).toMatch(/Applied: 0 created, 0 changed, 0 deleted\.$/);
    expect(await auditEntries(target)).toBe(before);
  });

  it('take over what is there, and delete it only after that', async () => {
    const client = await newClient();
    await call(client.person, 'POST', '/api/v1/monitors', httpMonitor({ name: 'Shop', tags: ['a'] }));
    const text = await client.export();
    expect(await client.plan(text)).toBe(true);
    expect(client.printed()).toContain('managed by: (none) → git:main');
    await client.apply('version: 1\n');
    expect(await client.list('/api/v1/monitors', 'monitors')).toHaveLength(1);
    await client.apply(text);
    expect(await client.list('/api/v1/monitors', 'monitors')).toMatchObject([{ externalId: 'git:main/shop' }]);
    expect(await client.export()).toBe(text);
    expect(await client.plan(text)).toBe(false);
    await client.apply('version: 1\n');
    expect(await client.list('/api/v1/monitors', 'monitors')).toEqual([]);
  });
});

const http = (name: string, more = '') => `
  ${name}: { type: http, name: ${name}, intervalSeconds: 60, config: { url: "http://127.0.0.1:9/" }${more} }`;
const monitors = (...each: string[]) => `version: 1\nmonitors:${each.join('')}\n`;

describe('plan', () => {
  it('shows each field that differs, and drift in the dashboard', async () => {
    const client = await newClient();
    const text = monitors(http('one'), http('two', ', tags: [a], parent: one'), http('three'));
    await client.apply(text);
    const [three, two] = await client.list('/api/v1/monitors', 'monitors');
    await call(client.person, 'PUT', `/api/v1/monitors/${two?.id}`, {
      name: 'Other\u202e name',
      config: { url: 'http://127.0.0.1:9/', timeoutMs: 500 },
    });
    expect(three?.name).toBe('three');
    const changed = monitors(http('one'), http('two', ', tags: [a, b]'), http('four'));
    expect(await client.plan(changed)).toBe(true);
    const printed = client.printed().replaceAll(/\(\/[^)]*\/\d+\.yaml:(\d+)\)/g, '(line $1)');
    expect(printed).toBe(`~ update monitor two (line 4)
    name: Other name → two
    config.timeoutMs: 500 → 10000
    tags: ["a"] → ["a","b"]
    parent: one → (none)
+ create monitor four (line 5)
- delete monitor three
Plan: 1 to create, 1 to change, 1 to delete, 1 unchanged.`);
    await client.apply(changed);
    expect(await client.plan(changed)).toBe(false);
    const names = (await client.list('/api/v1/monitors', 'monitors')).map(({ name }) => name).sort();
    expect(names).toEqual(['four', 'one', 'two']);
  });

  it('keeps the objects of other projects, and refuses to describe them twice', async () => {
    const client = await newClient();
    await client.apply(`project: other\n${monitors(http('one'))}`);
    await client.apply(monitors(http('two')));
    expect(await client.list('/api/v1/monitors', 'monitors')).toHaveLength(2);
    await expect(client.plan(monitors(http('one'), http('two')))).rejects.toThrow(
      /:3: monitors\.one: The project "other" describes this monitor\./,
    );
  });
});

describe('apply', () => {
  it('deletes nothing without a confirmation', async () => {
    const client = await newClient();
    await client.apply(monitors(http('one'), http('two')));
    expect(await client.apply(monitors(http('one'), http('three')), {}, false)).toBe(false);
    expect(client.printed()).toContain('Nothing was changed, because this deletes one object. Run it with --yes.');
    expect(await client.list('/api/v1/monitors', 'monitors')).toHaveLength(2);
  });

  it('sends secrets that changed, also those that end as before, and prints none', async () => {
    const client = await newClient();
    const text = (name: string) => `version: 1
channels:
  hook: { type: webhook, name: Hook, config: { url: "\${${name}_URL}", secret: "\${${name}}" } }
monitors:
  shop:
    type: http
    name: Shop
    config: { url: "http://127.0.0.1:9/", auth: { kind: bearer, token: "\${TOKEN}" } }
`;
    const env = { HOOK: 'first-hook-secret-1234', HOOK_URL: 'https://hooks.test/first-path', TOKEN: 'token-one-abcd' };
    await client.apply(text('HOOK'), env);
    const apply = async (next: Partial<typeof env>) => {
      const all = { ...env, ...next };
      const hasChanges = await client.plan(text('HOOK'), all);
      const planned = client.printed();
      await client.apply(text('HOOK'), all);
      const printed = planned + client.printed();
      for (const value of Object.values(all)) expect(printed).not.toContain(value);
      return { hasChanges, printed };
    };
    expect(await apply({})).toMatchObject({ hasChanges: false, printed: expect.stringContaining('0 changed') });
    const url = await apply({ HOOK_URL: 'https://hooks.test/second-path' });
    expect(url.hasChanges).toBe(true);
    expect(url.printed).toContain(`config.url: https://hooks.test/•••• → https://hooks.test/•••• from \${HOOK_URL}`);
    await apply({});
    const ending = await apply({ HOOK: 'other-hook-secret-5678' });
    expect(ending.printed).toContain(`config.secret: (secret) → (secret) from \${HOOK}`);
    await apply({});
    // The API shows the last four characters of a credential, so that a plan cannot see this change.
    const same = await apply({ TOKEN: 'token-two-abcd' });
    expect(same.hasChanges).toBe(false);
    expect(same.printed).toContain('1 got other secrets (monitors.shop)');
  });

  it('refuses secrets in files, and variables that are not set', async () => {
    const client = await newClient();
    const text = `version: 1
channels:
  chat: { type: slack, name: Chat, config: { webhookUrl: "https://hooks.slack.test/T0/B0/x" } }
  mail: { type: email, name: Mail, config: { to: ops@example.test }, fallback: nobody }
monitors:
  shop: { type: http, name: Shop, config: { url: "https://a.test/?key=\${KEY}" } }
`;
    const error = await client.plan(text).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(FileProblems);
    const problems = (error as FileProblems).problems.map(({ where, message }) => [where.split(':').at(-1), message]);
    expect(problems).toEqual([
      ['3', `channels.chat.config.webhookUrl: This is a secret. Write \${NAME}, and set NAME in the environment.`],
      ['6', 'monitors.shop.config.url: KEY is not set in the environment.'],
    ]);
  });

  it('stops at what the API refuses, and says in which line it is', async () => {
    const client = await newClient();
    const text = `version: 1
monitors:
  shop:
    type: http
    name: Shop
    intervalSeconds: 60
    config:
      url: "http://127.0.0.1:9/"
      assertions:
        - { source: body, operator: matches, value: "(" }
`;
    await expect(client.apply(text)).rejects.toThrow(/\.yaml:10: monitors\.shop: config\.assertions\.0\.value: /);
  });

  it('replaces a monitor whose type changes, and what refers to it', async () => {
    const client = await newClient();
    const text = (type: string) => `version: 1
monitors:
  a: { ${type}, name: A, intervalSeconds: 60 }
  b: { type: ping, name: B, intervalSeconds: 60, config: { host: a.test }, parent: a }
maintenanceWindows:
  w: { title: W, startsAt: 2027-01-01T00:00:00Z, endsAt: 2027-01-01T01:00:00Z, monitors: [a] }
`;
    await client.apply(text('type: ping, config: { host: a.test }'));
    const next = text('type: tls, config: { host: a.test }');
    await client.apply(next);
    expect(client.printed()).toContain('1 replaced');
    expect(await client.plan(next)).toBe(false);
  });

  it('creates each object once, however many run at the same time', { timeout: 60_000 }, async () => {
    const client = await newClient();
    const text = `${monitors(...Array.from({ length: 12 }, (_, n) => http(`m${n}`, ', channels: [mail]')))}channels:
  mail: { type: email, name: Mail, config: { to: ops@example.test }, rules: { tags: [a] } }
statusPages:
  page: { slug: raced-${process.pid}, title: Page, items: [{ monitor: m1 }, { component: Phone }, { monitor: m2 }] }
`;
    const results = await Promise.all([client.apply(text), client.apply(text), client.apply(text)]);
    expect(results).toEqual([true, true, true]);
    expect(await client.list('/api/v1/monitors', 'monitors')).toHaveLength(12);
    expect(await client.list('/api/v1/channels', 'channels')).toHaveLength(1);
    expect(await client.plan(text)).toBe(false);
  });
});
