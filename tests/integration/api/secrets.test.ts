import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import { createWorld, type World } from '@/tests/contract/operations/world';
import { rest } from '@/tests/support/rest';

const SECRET = 'TOPSECRET-0123456789';
const monitors = {
  http: { url: `https://shop.example/a?token=${SECRET}`, method: 'POST', body: `pin=${SECRET}` },
  websocket: { url: `wss://feed.example/live?key=${SECRET}`, send: SECRET },
  tcp: { host: 'redis.example', port: 6379, send: `AUTH ${SECRET}\r\n` },
  heartbeat: {},
};
const hook = { url: `https://hooks.example/${SECRET}?key=${SECRET}`, secret: `${SECRET}-of-the-hook` };

let world: World;
let ids: Record<keyof typeof monitors | 'channel', string>;
let pingUrl: string;
/** Users who may edit, and users who may only view. */
let writers: [string, string][];
let readers: [string, string][];

async function call(method: string, path: string, token: string, body?: unknown) {
  const answer = await rest(method, path, { token, ...(body !== undefined && { body }) });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}

beforeAll(async () => {
  world = await createWorld();
  const { owner, colleagues, keys } = world;
  const made = await Promise.all(
    Object.entries(monitors).map(async ([type, config]) => {
      const { monitor } = await call('POST', '/api/v1/monitors', keys.all, { type, name: type, config });
      return [type, monitor] as const;
    }),
  );
  const body = { type: 'webhook', name: 'Hook', config: hook };
  const { channel } = await call('POST', '/dashboard/notification-channels', owner.token, body);
  ids = { ...(Object.fromEntries(made.map(([type, { id }]) => [type, id])) as typeof ids), channel: channel.id };
  pingUrl = Object.fromEntries(made).heartbeat.config.pingUrl;
  writers = [
    ['owner', owner.token],
    ['admin', colleagues.admin.token],
    ['member', colleagues.member.token],
    ['key', keys.all],
  ];
  readers = [
    ['viewer', colleagues.viewer.token],
    ['read-only key', keys.reading],
  ];
});

/** Every path that returns monitors; keys can use only those under `/api/v1`. */
function monitorPaths(who: string): string[] {
  const one = Object.values(ids).filter((id) => id !== ids.channel);
  const api = ['/api/v1/monitors', '/api/v1/overview', ...one.map((id) => `/api/v1/monitors/${id}`)];
  const person = ['/dashboard/monitors', ...one.map((id) => `/dashboard/monitors/${id}`)];
  return [...api, ...one.map((id) => `/api/v1/monitors/${id}/detail`), ...(who.includes('key') ? [] : person)];
}

describe('secrets in a monitor or channel', () => {
  it('shows secrets in a monitor or channel to editors', async () => {
    for (const [who, token] of writers) {
      for (const type of ['http', 'websocket', 'tcp'] as const) {
        const { monitor } = await call('GET', `/api/v1/monitors/${ids[type]}`, token);
        expect(monitor.config, who).toMatchObject(monitors[type]);
      }
      const { monitor } = await call('GET', `/api/v1/monitors/${ids.heartbeat}`, token);
      expect([who, monitor.config.pingUrl]).toEqual([who, pingUrl]);
      if (who === 'key') continue;
      const { channel } = await call('GET', `/dashboard/notification-channels/${ids.channel}`, token);
      expect(channel.config, who).toEqual({ url: hook.url, secret: '••••hook' });
    }
  });

  it('shows secrets neither to viewers nor to read-only keys, at any address', async () => {
    for (const [who, token] of readers) {
      for (const path of monitorPaths(who)) {
        const text = JSON.stringify(await call('GET', path, token));
        expect(text, `${who} ${path}`).not.toMatch(new RegExp(`${SECRET}|/api/heartbeat/`));
      }
    }
    const [, viewer = ''] = readers[0] ?? [];
    for (const path of ['', `/${ids.channel}`, `/${ids.channel}/deliveries`]) {
      const text = JSON.stringify(await call('GET', `/dashboard/notification-channels${path}`, viewer));
      expect(text).not.toContain(SECRET);
    }
    const { monitor } = await call('GET', `/api/v1/monitors/${ids.http}`, viewer);
    expect(monitor.config).toMatchObject({ url: 'https://shop.example/a?••••', body: '••••' });
  });

  it('finds no secret by a search', async () => {
    for (const [who, token] of [...readers, ...writers]) {
      const { rows } = await call('GET', `/api/v1/overview?search=${SECRET}`, token);
      expect([who, rows]).toEqual([who, []]);
    }
    const [, viewer = ''] = readers[0] ?? [];
    expect((await call('GET', '/api/v1/overview?search=shop.example/a', viewer)).rows).toHaveLength(1);
  });

  it('keeps secrets when an editor sends back what a viewer sees', async () => {
    const [, viewer = ''] = readers[0] ?? [];
    const { member } = world.colleagues;
    for (const type of ['http', 'websocket', 'tcp'] as const) {
      const path = `/dashboard/monitors/${ids[type]}`;
      const { monitor } = await call('GET', path, viewer);
      const config = { ...monitor.config, timeoutMs: 4_000 };
      const updated = await call('PUT', path, member.token, { config });
      expect(updated.monitor.config).toMatchObject({ ...monitors[type], timeoutMs: 4_000 });
    }
    const path = `/dashboard/notification-channels/${ids.channel}`;
    const { channel } = await call('GET', path, viewer);
    const updated = await call('PUT', path, member.token, { config: channel.config });
    expect(updated.channel.config).toEqual({ url: hook.url, secret: '••••hook' });
  });

  it('appear in no column of the database in plain text, nor in the audit log', async () => {
    const { keys, owner } = world;
    const temporary = { type: 'http', name: 'Temporary', config: monitors.http };
    const made = await rest('POST', '/api/v1/monitors', {
      token: keys.all,
      body: temporary,
      headers: { 'idempotency-key': 'secrets' },
    });
    const { id } = made.body.monitor;
    const changed = { ...monitors.http, body: `other=${SECRET}` };
    await call('PUT', `/api/v1/monitors/${id}`, keys.all, { config: changed });
    await call('DELETE', `/api/v1/monitors/${id}`, keys.all);
    const path = `/dashboard/notification-channels/${ids.channel}`;
    const other = { ...hook, url: `https://hooks.example/other-${SECRET}` };
    await call('PUT', path, owner.token, { config: other });
    const { entries } = await call('GET', '/dashboard/audit-log?limit=100', owner.token);
    const shown = (target: string, action: string) =>
      entries.find((entry: { action: string; target: { id: string } }) => {
        return entry.action === action && entry.target.id === target;
      });
    expect(shown(id, 'monitor.update').after.config.body).toBe('•••• (changed)');
    expect(shown(ids.channel, 'channel.update').after.config.url).toBe('https://hooks.example/•••• (changed)');
    expect(shown(id, 'monitor.delete').before.config.url).toBe('https://shop.example/a?••••');
    expect(JSON.stringify(entries)).not.toMatch(new RegExp(`${SECRET}|/api/heartbeat/`));
    const tables = await db.$queryRaw<{ name: string }[]>`
      select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE'`;
    expect(tables.length).toBeGreaterThan(20);
    for (const { name } of tables) {
      const [row] = await db.$queryRawUnsafe<{ count: number }[]>(
        `select count(*)::int as count from ${name} t where row_to_json(t)::text like '%${SECRET}%'`,
      );
      expect([name, row?.count]).toEqual([name, 0]);
    }
  });
});
