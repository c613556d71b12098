import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { migrate } from '@/prisma/migrate';
import { extraDatabase } from '@/tests/support/database';
import { migrateBefore } from './migrate-before';

const side = (config: object) => JSON.stringify({ name: 'Shop', config });

it('masks request bodies, queries and webhook URLs in earlier audit entries', async () => {
  const { url, drop } = await extraDatabase({ migrated: false });
  onTestFinished(drop);
  await migrateBefore(url, 'mask_audit_entries');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  const insert = (id: string, type: string, before: string | null, after: string | null) =>
    client.query(
      `insert into audit_entries (id, actor_kind, action, target_type, before, after) values ($1, 'user', 'x', $2, $3, $4)`,
      [id, type, before, after],
    );
  const http = { url: 'https://a.example/x?token=SECRET', body: 'SECRET', headers: { accept: '*/*' } };
  const token = { kind: 'oauth2', tokenUrl: 'https://id.example/t?key=SECRET', clientSecret: '••••1234' };
  await insert('http', 'monitor', side(http), side({ ...http, auth: token }));
  await insert('tcp', 'monitor', null, side({ host: 'a.example', send: 'SECRET' }));
  await insert('plain', 'monitor', null, side({ url: 'https://a.example/x' }));
  await insert('user', 'monitor', null, side({ url: 'https://me:SECRET@a.example/x' }));
  await insert('hook', 'channel', null, side({ url: 'https://hooks.example/SECRET?x=1', secret: '••••1234' }));
  await insert('bare', 'channel', null, side({ url: 'https://hooks.example/' }));
  await insert('name', 'monitor', JSON.stringify({ name: 'a' }), JSON.stringify({ name: 'b' }));
  await insert('other', 'status_page', null, JSON.stringify({ config: { url: 'https://a.example/?x' } }));
  await migrate(url);
  const { rows } = await client.query<{ id: string; before: unknown; after: unknown }>(
    'select id, before, after from audit_entries order by id',
  );
  const masked = { url: 'https://a.example/x?••••', body: '••••', headers: { accept: '*/*' } };
  const maskedToken = { ...token, tokenUrl: 'https://id.example/t?••••' };
  const named = (config: object) => ({ name: 'Shop', config });
  expect(rows).toEqual([
    { id: 'bare', before: null, after: named({ url: 'https://hooks.example/' }) },
    { id: 'hook', before: null, after: named({ url: 'https://hooks.example/••••', secret: '••••1234' }) },
    { id: 'http', before: named(masked), after: named({ ...masked, auth: maskedToken }) },
    { id: 'name', before: { name: 'a' }, after: { name: 'b' } },
    { id: 'other', before: null, after: { config: { url: 'https://a.example/?x' } } },
    { id: 'plain', before: null, after: named({ url: 'https://a.example/x' }) },
    { id: 'tcp', before: null, after: named({ host: 'a.example', send: '••••' }) },
    { id: 'user', before: null, after: named({ url: 'https://••••@a.example/x' }) },
  ]);
});
