import '@/tests/support/stripe/with-stripe';
import { subscribe } from 'node:diagnostics_channel';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Operation, operations } from '@/server/api/rest/operations';
import { heldTransaction } from '@/server/platform/database/held-transaction';
import { db } from '@/server/platform/db';
import { rest } from '@/tests/support/rest';
import { rows } from './operations/rows';
import { createWorld, fresh, takesKeys, type World } from './operations/world';

/** A row that a transaction wrote; `answer`: the row is an idempotency key with its stored answer. */
interface Written {
  xid: string;
  table: string;
  answer: boolean;
}

/** Operations that call other services: what the transaction with the response must at least contain. The rest may be repeated safely. */
const networked: Record<string, string | null> = {
  // A check that runs twice is one more observation.
  'POST /dashboard/monitors/{id}/check': null,
  'POST /api/v1/monitors/{id}/check': null,
  // A test of unsaved settings stores nothing: a repetition only sends another message.
  'POST /dashboard/notification-channels/test': null,
  'POST /api/v1/channels/test': null,
  'POST /api/v1/me/contact-methods/test': null,
  // The stored answer says that the message or the removal is queued; a job finishes it.
  'POST /dashboard/notification-channels/{id}/test': 'deliveries',
  'POST /api/v1/channels/{id}/test': 'deliveries',
  'POST /api/v1/me/contact-methods/{id}/test': 'deliveries',
  'POST /admin/users/{userId}/force-delete': 'users',
  // The answer belongs to the team and is deleted with it; a repetition finds no team to delete.
  'POST /dashboard/team/delete': null,
  // Each object is created in a transaction of its own; a repetition continues with the next one.
  'POST /api/v1/imports/{id}/run': null,
  // Stripe's own idempotency key ensures that only one customer is created.
  'POST /dashboard/billing/checkout': 'audit_entries',
};

/** Written while the caller is authenticated, before the operation begins, and with the response. */
const notChanges = ['kv_entries', 'idempotent_requests', 'idempotency_quotas'];

/** Network I/O that began while a transaction was held. Database connections are opened another way and not counted. */
const heldDuring: string[] = [];
for (const channel of ['net.client.socket', 'http.client.request.start', 'undici:request:create']) {
  subscribe(channel, () => {
    if (heldTransaction()?.isOpen) heldDuring.push(channel);
  });
}

let world: World;

beforeAll(async () => {
  world = await createWorld();
  await db.$executeRaw`create table written (xid text, name text, answer boolean)`;
  await db.$executeRaw`
    create function note_written() returns trigger language plpgsql as $$ begin
      if to_jsonb(new) - 'last_used_at' is distinct from to_jsonb(old) - 'last_used_at' then
        insert into written values (pg_current_xact_id()::text, tg_table_name,
          tg_table_name = 'idempotent_requests' and tg_op <> 'DELETE' and to_jsonb(new)->>'status' is not null);
      end if;
      return null;
    end $$`;
  const tables = await db.$queryRaw<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and c.relname not in ('written', '_prisma_migrations')
      and (n.nspname = 'public' or c.relname = '_private_jobs')`;
  expect(tables.length).toBeGreaterThan(25);
  for (const { name } of tables) {
    await db.$executeRawUnsafe(
      `create trigger note_written after insert or update or delete on ${name} for each row execute function note_written()`,
    );
  }
});

const fill = (path: string, params: Record<string, string> = {}) =>
  path.replace(/\{([^}]*)\}/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));

async function sendTwice(operation: Operation) {
  const { method, path } = operation;
  const row = rows[`${method} ${path}`];
  if (!row) throw new Error(`There is no row for ${method} ${path}.`);
  const { params, body, token } = await row.ready(world);
  const bearer = token ?? (takesKeys(operation) ? world.keys.all : world.owner.token);
  await db.$executeRaw`truncate written`;
  const call = {
    ...(bearer !== '' && { token: bearer }),
    body: body ?? {},
    headers: { 'idempotency-key': fresh('key') },
  };
  const first = await rest(method, fill(path, params), call);
  const written = await db.$queryRaw<Written[]>`select xid, name as "table", answer from written`;
  return { first, written, second: () => rest(method, fill(path, params), call) };
}

const posts = operations.filter(({ method }) => method === 'POST');

describe.each(posts.filter(({ isKeyed }) => isKeyed).map((each) => [each.path, each] as const))(
  'POST %s with an idempotency key',
  (path, operation) => {
    const name = `${operation.method} ${path}`;

    it('commits its response together with its change', async () => {
      const { first, written } = await sendTwice(operation);
      expect(first.status, JSON.stringify(first.body)).toBeLessThan(300);
      expect(heldDuring).toEqual([]);
      const withAnswer = new Set(written.filter(({ answer }) => answer).map(({ xid }) => xid));
      const changes = written.filter(({ table }) => !notChanges.includes(table));
      const inside = changes.filter(({ xid }) => withAnswer.has(xid)).map(({ table }) => table);
      if (!(name in networked)) {
        expect(changes.filter(({ xid }) => !withAnswer.has(xid))).toEqual([]);
        expect(withAnswer.size).toBe(1);
      } else if (networked[name]) {
        expect(inside).toContain(networked[name]);
      }
    });

    it('returns the same response to a repetition', async () => {
      const { first, second } = await sendTwice(operation);
      // A password change ends the session that requests it, and so does its repetition. Deleting a team deletes its tokens.
      if (path === '/dashboard/me/password' || path === '/dashboard/team/delete')
        return expect((await second()).status).toBe(401);
      expect(await second()).toMatchObject({ status: first.status, body: first.body });
    });
  },
);

describe.each(posts.filter(({ isKeyed }) => !isKeyed).map((each) => [each.path, each] as const))(
  'POST %s, which changes nothing, with an idempotency key',
  (_path, operation) => {
    it('is executed again, and stores nothing', async () => {
      const { first, written, second } = await sendTwice(operation);
      expect(first.status, JSON.stringify(first.body)).toBe(200);
      expect(written.filter(({ table }) => table !== 'kv_entries')).toEqual([]);
      const again = await second();
      expect(again.status).toBe(200);
      expect(again.headers.get('idempotency-replayed')).toBeNull();
      expect(await db.idempotentRequest.count({ where: { operation: operation.path } })).toBe(0);
    });
  },
);
