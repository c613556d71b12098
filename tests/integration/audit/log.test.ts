import { beforeAll, describe, expect, it } from 'vitest';
import { listEntries } from '@/server/audit/list-entries';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { readRows } from '@/tests/support/database-traffic';
import { httpMonitor, makeKey, type Person, rest, signUp } from '@/tests/support/rest';

let admin: Person;
let person: Person;
let key: string;
beforeAll(async () => {
  admin = await signUp('Ada');
  person = await signUp('Robin');
  key = await makeKey(person);
});

interface Entry {
  id: string;
  at: string;
  teamId: string;
  action: string;
  actor: { kind: string; id: string; email: string; credential: string };
  target: { id: string; name: string };
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

async function read(query = '', who = person): Promise<{ entries: Entry[]; nextCursor: string | null }> {
  const { status, body } = await rest('GET', `/dashboard/audit-log${query}`, { token: who.token });
  expect(status).toBe(200);
  return body;
}

describe('team audit log', () => {
  it('records the actor, credential, action, address and changes', async () => {
    const made = await rest('POST', '/api/v1/monitors', { token: key, body: httpMonitor() });
    const { id } = made.body.monitor;
    const requestId = newId();
    await rest('PUT', `/api/v1/monitors/${id}`, {
      token: person.token,
      body: { name: 'Shop 2' },
      headers: { 'x-upwatch-address': '192.0.2.7', 'x-request-id': requestId },
    });
    const { entries } = await read(`?target=${id}`);
    expect(entries).toMatchObject([
      {
        action: 'monitor.update',
        teamId: person.teamId,
        actor: { kind: 'user', id: person.userId, email: person.email, credential: 'access token' },
        address: '192.0.2.7',
        requestId,
        target: { type: 'monitor', id, name: 'Shop 2' },
        reason: null,
        before: { name: 'Shop' },
        after: { name: 'Shop 2' },
      },
      { action: 'monitor.create', actor: { kind: 'key', email: person.email }, before: null },
    ]);
    expect(Object.keys(entries[0]?.before ?? {})).toEqual(['name']);
    const { prefix } = await db.apiKey.findFirstOrThrow({ where: { teamId: person.teamId } });
    expect(entries[1]?.actor.credential).toBe(prefix);
  });

  it('contains no secret', async () => {
    const secrets = ['a-token-nobody-may-see', 'hook-secret-nobody-may-see', 'T0/B0/slack-secret-nobody-may-see', key];
    const auth = { kind: 'bearer', token: secrets[0] };
    await rest('POST', '/dashboard/monitors', {
      token: person.token,
      body: httpMonitor({ config: { url: 'http://127.0.0.1:9/', auth } }),
    });
    const hook = { type: 'webhook', name: 'Hook', config: { url: 'http://127.0.0.1:9/', secret: secrets[1] } };
    const slack = { type: 'slack', name: 'Slack', config: { webhookUrl: `http://127.0.0.1:9/${secrets[2]}` } };
    for (const body of [hook, slack]) {
      const made = await rest('POST', '/dashboard/notification-channels', { token: person.token, body });
      expect(made.status).toBe(201);
      await rest('DELETE', `/dashboard/notification-channels/${made.body.channel.id}`, { token: person.token });
    }
    const generated = await rest('POST', '/dashboard/notification-channels', {
      token: person.token,
      body: { type: 'webhook', name: 'Generated', config: { url: 'http://127.0.0.1:9/' } },
    });
    secrets.push(generated.body.channel.config.secret);
    const rows = JSON.stringify(await db.auditEntry.findMany());
    for (const secret of secrets) expect(rows).not.toContain(secret);
    expect(rows).toContain('Generated');
  });

  it('starts with the team, and contains nothing of another one', async () => {
    const { entries } = await read();
    expect(entries.at(-1)).toMatchObject({ action: 'account.create', target: { id: person.userId } });
    expect(entries.every(({ teamId }) => teamId === person.teamId)).toBe(true);
    const outsider = await signUp();
    expect((await read('', outsider)).entries.map(({ action }) => action)).toEqual(['account.create']);
    expect((await read(`?target=${entries[0]?.target.id}`, outsider)).entries).toEqual([]);
  });

  it('returns each entry once across pages, newest first', async () => {
    const all = (await read()).entries.map(({ id }) => id);
    expect(all.length).toBeGreaterThan(5);
    expect([...all].sort().reverse()).toEqual(all);
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await read(`?limit=2${cursor}`);
      seen.push(...page.entries.map(({ id }) => id));
      cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`;
    } while (cursor !== '');
    expect(seen).toEqual(all);
  });

  it('is filtered by an action, or by its target', async () => {
    const actionsOf = async (query: string) => new Set((await read(query)).entries.map(({ action }) => action));
    expect(await actionsOf('?action=channel')).toEqual(new Set(['channel.create', 'channel.delete']));
    expect(await actionsOf('?action=channel.delete')).toEqual(new Set(['channel.delete']));
    expect(await actionsOf('?action=chan')).toEqual(new Set());
    expect(await actionsOf('?action=%25')).toEqual(new Set());
  });

  it('pages through the actions on a kind of object, newest first', async () => {
    const all = (await read('?limit=100')).entries.filter(({ action }) => action.startsWith('channel.'));
    expect(new Set(all.map(({ action }) => action)).size).toBeGreaterThan(1);
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await read(`?action=channel&limit=2${cursor}`);
      seen.push(...page.entries.map(({ id }) => id));
      cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`;
    } while (cursor !== '');
    expect(seen).toEqual(all.map(({ id }) => id));
  });

  it('finds the entries of an action by an index', async () => {
    await db.$executeRaw`
      insert into audit_entries (id, team_id, actor_kind, action, target_type, target_id)
      select ${newId()} || n, ${person.teamId}, 'system', 'monitor.update', 'monitor', 'many' from generate_series(1, 5000) n`;
    await db.$executeRaw`analyze audit_entries`;
    const plan = await db.$transaction(async (tx) => {
      await tx.$executeRaw`set local enable_seqscan = off`;
      return tx.$queryRawUnsafe<Record<string, string>[]>(
        `explain select id from audit_entries where team_id = '${person.teamId}' and action = 'channel.create' order by id desc limit 51`,
      );
    });
    const text = plan.map((row) => Object.values(row)[0]).join('\n');
    expect(text).toContain('audit_entries_team_id_action_id_idx');
    expect(text).not.toContain('Sort');
    await db.auditEntry.deleteMany({ where: { targetId: 'many' } });
  });

  it('finds the entries of one object, or one of its actions, among many', async () => {
    const { teamId } = await signUp();
    const made = (id: string, count: number, action: string) => db.$executeRaw`
      insert into audit_entries (id, team_id, actor_kind, action, target_type, target_id)
      select ${id} || lpad(n::text, 6, '0'), ${teamId}, 'system', ${action}, 'monitor', ${id} from generate_series(1, ${count}::int) n`;
    const [one, other, rare] = [newId(), newId(), newId()];
    await made(one, 10_000, 'monitor.update');
    await made(rare, 3, 'monitor.create');
    await made(other, 10_000, 'monitor.pause');
    await db.$executeRaw`analyze audit_entries`;
    const found: Record<string, number> = {};
    const rows = await readRows('audit_entries', async (tx) => {
      for (const [target, action] of [[one], [rare], [one, 'monitor.pause'], [one, 'monitor'], [newId(), 'monitor']]) {
        const { entries } = await listEntries(tx, teamId, { limit: 50, target, action });
        found[`${target === one ? 'one' : target === rare ? 'rare' : 'none'} ${action}`] = entries.length;
        expect(entries.map(({ id }) => id)).toEqual(
          entries
            .map(({ id }) => id)
            .toSorted()
            .reverse(),
        );
      }
    });
    expect(found).toEqual({
      'one undefined': 50,
      'rare undefined': 3,
      'one monitor.pause': 0,
      'one monitor': 50,
      'none monitor': 0,
    });
    await db.auditEntry.deleteMany({ where: { targetId: { in: [one, other, rare] } } });
    expect(rows).toBeLessThan(1_000);
  });

  it('is for admins and owners', async () => {
    for (const [role, status] of [
      ['viewer', 403],
      ['member', 403],
      ['admin', 200],
    ] as const) {
      const other = await signUp();
      await db.membership.create({ data: { teamId: person.teamId, userId: other.userId, role } });
      const { body } = await rest('POST', '/dashboard/me/team', {
        token: other.token,
        body: { teamId: person.teamId },
      });
      expect((await rest('GET', '/dashboard/audit-log', { token: body.accessToken })).status).toBe(status);
    }
    expect((await rest('GET', '/dashboard/audit-log', { token: key })).status).toBe(401);
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'limit=1&limit=2'])('rejects %s', async (query) => {
    const { body } = await rest('GET', `/dashboard/audit-log?${query}`, { token: person.token });
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ path: 'limit' }] });
  });
});

it('lists everything in the audit log of the instance, for its administrators', async () => {
  const { body } = await rest('GET', '/admin/audit-log?limit=100', { token: admin.token });
  const teams = new Set(body.entries.map(({ teamId }: Entry) => teamId));
  expect(teams.has(person.teamId)).toBe(true);
  expect(teams.has(admin.teamId)).toBe(true);
  expect((await rest('GET', '/admin/audit-log', { token: person.token })).status).toBe(403);
});

it('rolls back an entry with its change', async () => {
  const before = await db.auditEntry.count();
  const { status } = await rest('POST', '/api/v1/monitors', {
    token: key,
    body: httpMonitor({ channelIds: ['nothing'] }),
  });
  expect(status).toBe(400);
  expect(await db.auditEntry.count()).toBe(before);
});

describe('audit entry', () => {
  it('stays small after a large change, and states its size', async () => {
    const config = { url: 'http://127.0.0.1:9/', assertions: [] as object[] };
    config.assertions = Array.from({ length: 7 }, (_, index) => {
      return { source: 'body', operator: 'contains', value: String(index).padEnd(8_000, 'x') };
    });
    const made = await rest('POST', '/api/v1/monitors', { token: key, body: httpMonitor({ config }) });
    expect(made.status).toBe(201);
    const [entry] = (await read(`?target=${made.body.monitor.id}`)).entries;
    const text = JSON.stringify(entry?.after);
    expect(text.length).toBeLessThan(16 * 1024);
    expect(text).toContain('… (8,000 characters)');
    expect(entry?.after).toMatchObject({ name: 'Shop', type: 'http' });
  });
});
