import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Transform } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { migrate } from '@/prisma/migrate';
import { ArchiveWriter, readArchive } from '@/server/platform/backup/archive';
import { backup } from '@/server/platform/backup/backup';
import { connect, listApplied } from '@/server/platform/backup/catalog';
import { claimSecret } from '@/server/platform/database/app-secret';
import { db } from '@/server/platform/db';
import { storage } from '@/server/platform/storage';
import { FileStorage } from '@/server/platform/storage/files';
import { migrateBefore } from '@/tests/integration/prisma/migrate-before';
import { extraDatabase, testDatabase } from '@/tests/support/database';
import { httpMonitor, rest, signUp } from '@/tests/support/rest';

const PASSPHRASE = 'a passphrase of this test';
const SECRET = process.env.APP_SECRET ?? '';
let folder: string;
let person: Awaited<ReturnType<typeof signUp>>;

const createMonitor = async (name: string) =>
  (
    await rest('POST', '/dashboard/monitors', {
      token: person.token,
      body: httpMonitor({ name, config: { url: 'http://127.0.0.1:9/?key=secret' }, isActive: false }),
    })
  ).body.monitor as { id: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'upwatch-backup-'));
  await writeFile(join(folder, 'passphrase'), `${PASSPHRASE}\n`);
  await claimSecret(testDatabase(), { present: SECRET });
  person = await signUp();
  const { id } = await createMonitor('Shop');
  const name = 'Tab\there, "quotes", \\N, a\nline and \u{1f6a8}';
  const { num } = await db.monitor.update({ where: { id }, data: { name }, select: { num: true } });
  const bodies = {
    'notification-channels': {
      type: 'webhook',
      name: 'Pager',
      config: { url: 'http://127.0.0.1:9/', secret: 'c2VjcmV0c2VjcmV0c2VjcmV0' },
    },
    'status-pages': { slug: 'backed-up', title: 'Status', isPublic: true, monitorIds: [id] },
  };
  for (const [path, body] of Object.entries(bodies)) {
    expect(await rest('POST', `/dashboard/${path}`, { token: person.token, body })).toMatchObject({ status: 201 });
  }
  await db.$queryRaw`select 1 from graphile_worker.add_job('send-report', '{}', run_at := now() + interval '1 day')`;
  // Two parts of an archive, over two days.
  await db.$executeRaw`
    insert into checks (monitor_num, at, region, status, latency_ms, error)
    select ${num}, date_trunc('day', now()) + n * interval '1 second', '', 'down', n % 900, repeat('timeout ', 20)
    from generate_series(0, 90000, 3) n`;
  await storage.put('status-pages/one/logo.png', Buffer.from([0, 1, 2, 255]), { contentType: 'image/png' });
  await storage.put('evidence/two.json', Buffer.from('{}'), { contentType: 'application/json' });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the command line on a database and a data directory of its own. */
async function upwatch(args: string[], env: Record<string, string>, input?: Buffer) {
  const { APP_SECRET: _secret, ...rest } = process.env;
  const child = spawn(process.execPath, ['scripts/upwatch.mjs', ...args], { env: { ...rest, ...env } });
  child.stdin.on('error', () => undefined).end(input);
  const [bytes, err] = await Promise.all([buffer(child.stdout), text(child.stderr)]);
  const out = bytes.toString();
  return { bytes, code: child.exitCode ?? (await new Promise((resolve) => child.once('exit', resolve))), out, err };
}

async function emptyInstance() {
  const { url, drop } = await extraDatabase({ migrated: false });
  const dataDir = await mkdtemp(join(folder, 'data-'));
  onTestFinished(drop);
  return { url, dataDir, env: { DATABASE_URL: url, DATA_DIR: dataDir } };
}

/** What migrations, and processes about themselves, write. */
const NOT_CONTENT = [
  'graphile_worker.migrations',
  ...['_prisma_migrations', 'compatibility', 'live_watchers', 'workers'].map((name) => `public.${name}`),
];

/** The number of rows of each table, and a digest of all of them. */
async function contentOf(url: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`set timezone = 'UTC'`);
    const content: Record<string, string> = {};
    const tables = await client.query<{ name: string }>(
      `select relnamespace::regnamespace || '.' || relname as name from pg_class
       where relnamespace::regnamespace::text in ('public', 'graphile_worker') and relkind in ('r', 'p') and not relispartition`,
    );
    for (const { name } of tables.rows.filter((table) => !NOT_CONTENT.includes(table.name))) {
      const { rows } = await client.query<{ digest: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(row::text, e'\\n' order by row::text)), '') as digest from ${name} row`,
      );
      content[name] = rows[0]?.digest ?? '';
    }
    return content;
  } finally {
    await client.end();
  }
}

async function objectsOf(found: Pick<FileStorage, 'list' | 'get'>) {
  const objects: Record<string, unknown> = {};
  for await (const key of found.list()) objects[key] = await found.get(key);
  return objects;
}

const source = () => ({ DATABASE_URL: testDatabase(), DATA_DIR: process.env.DATA_DIR ?? '', APP_SECRET: SECRET });

// Each test starts the command line several times, which takes two processes.
describe('backup and restore', { timeout: 120_000 }, () => {
  it('restores every row, object and the secret of an encrypted archive into an empty instance', async () => {
    const file = join(folder, 'whole.age');
    const options = ['--passphrase-file', join(folder, 'passphrase'), '--json'];
    const made = await upwatch(['backup', file, ...options], source());
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(made.out)).toMatchObject({ file, objects: 2, hasSecret: true });
    expect((await readFile(file)).subarray(0, 21).toString()).toBe('age-encryption.org/v1');
    const { url, dataDir, env } = await emptyInstance();
    await writeFile(join(folder, 'wrong'), 'not the passphrase');
    for (const [wrong, error] of [
      [['--passphrase-file', join(folder, 'wrong')], /^The archive cannot be decrypted: the passphrase is wrong/],
      [[], /^The archive is encrypted/],
      [['--passphrase-file', join(folder, 'none')], /^\S+none does not exist/],
    ] as const) {
      const refused = await upwatch(['restore', file, ...wrong], env);
      expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringMatching(error) });
    }
    const restored = await upwatch(['restore', file, ...options], env);
    expect(restored).toMatchObject({ code: 0, err: '' });
    const before = await contentOf(testDatabase());
    expect(Number(before['public.checks']?.split(' ')[0])).toBe(30_001);
    expect(await contentOf(url)).toEqual(before);
    expect(await objectsOf(new FileStorage(join(dataDir, 'objects')))).toEqual(await objectsOf(storage));
    expect(await readFile(join(dataDir, 'app-secret'), 'utf8')).toBe(SECRET);
    const again = await upwatch(['restore', file, ...options], env);
    expect(again).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^The instance is not empty/) });
  });

  it('leaves the secret out of an archive without a passphrase, and requires it for the restore', async () => {
    const file = join(folder, 'plain.tar.gz');
    const made = await upwatch(['backup', file], source());
    expect(made).toMatchObject({ code: 0, out: expect.stringContaining('It does not contain APP_SECRET') });
    const entries: string[] = [];
    for await (const { bytes } of readArchive(Readable.from([await readFile(file)]), null, () => undefined)) {
      entries.push(bytes.toString('latin1'));
    }
    expect(entries.length).toBeGreaterThan(10);
    expect(entries.some((entry) => entry.includes(SECRET))).toBe(false);
    const { url, env } = await emptyInstance();
    const without = await upwatch(['restore', file], env);
    expect(without).toMatchObject({ code: 1, err: expect.stringMatching(/^APP_SECRET is missing/) });
    const wrong = await upwatch(['restore', file], { ...env, APP_SECRET: 'another secret of this test' });
    expect(wrong).toMatchObject({ code: 1, err: expect.stringMatching(/^APP_SECRET is not the secret of the backup/) });
    expect((await contentOf(url))['public.users']).toBe('0 ');
    expect(await upwatch(['restore', file], { ...env, APP_SECRET: SECRET })).toMatchObject({ code: 0, err: '' });
    expect((await contentOf(url))['public.users']).toBe((await contentOf(testDatabase()))['public.users']);
  });

  it('rejects a damaged, a cut, a newer and another archive, without committing anything', async () => {
    const chunks = new PassThrough();
    const whole = chunks.toArray();
    await backup(chunks, { databaseUrl: testDatabase(), passphrase: null, settings: {} });
    const bytes = Buffer.concat(await whole);
    const future = new PassThrough();
    const written = future.toArray();
    const writer = new ArchiveWriter(future, null);
    const manifest = {
      format: 1,
      version: '9.0.0',
      createdAt: new Date().toISOString(),
      migrations: ['29990101000000_future'],
    };
    const more = { secretFingerprint: '', tables: [], checkDays: [], settings: [] };
    await writer.add({ name: 'manifest.json', bytes: Buffer.from(JSON.stringify({ ...manifest, ...more })) });
    await writer.finish({ rows: {}, objects: 0 });
    const damaged = Buffer.from(bytes);
    damaged.writeUInt8(damaged.readUInt8(damaged.length >> 1) ^ 1, damaged.length >> 1);
    const { url, env } = await emptyInstance();
    for (const [name, content, error] of [
      ['damaged', damaged, /^The archive is damaged/],
      ['cut', bytes.subarray(0, bytes.length >> 1), /^The archive is (damaged|incomplete)/],
      ['newer', Buffer.concat(await written), /^The backup was made by a newer version of Upwatch, 9\.0\.0/],
      ['other', Buffer.from('no archive'), /^The archive is damaged, or no backup/],
    ] as const) {
      const file = join(folder, name);
      await writeFile(file, content);
      const answer = await upwatch(['restore', file], { ...env, APP_SECRET: SECRET });
      expect(answer, name).toMatchObject({ code: 1, out: '', err: expect.stringMatching(error) });
    }
    expect((await contentOf(url))['public.users']).toBe('0 ');
  });

  it('writes an archive and nothing else to standard output, and restores it from standard input', async () => {
    const warned = { ...source(), SIGNUP: 'invite' };
    const { code, bytes, err } = await upwatch(['backup', '-'], warned);
    expect(code).toBe(0);
    expect(err).toMatch(/^SIGNUP is no setting[\s\S]*\n-: \d+ rows of \d+ tables, 2 objects\n/);
    const { url, env } = await emptyInstance();
    const restored = await upwatch(['restore', '-', '--json'], { ...env, APP_SECRET: SECRET }, bytes);
    expect(restored).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(restored.out)).toMatchObject({ objects: 2, missing: [] });
    expect(await contentOf(url)).toEqual(await contentOf(testDatabase()));
  });

  it('restores archives of a version of development, before and after its upgrade, and migrates them', async () => {
    const { url: former, drop } = await extraDatabase({ migrated: false });
    onTestFinished(drop);
    await migrateBefore(former, 'saved_views');
    await claimSecret(former, { present: SECRET });
    const query = async (url: string, sql: string) => {
      const client = await connect(url, 'test');
      const { rows } = await client.query(sql);
      const applied = await listApplied(client);
      await client.end();
      return { rows, applied };
    };
    await query(former, `insert into teams (id, name, plan) values ('team', 'Northwind', 'self_hosted')`);
    const { applied } = await query(testDatabase(), 'select 1');
    for (const version of ['former', 'upgraded']) {
      if (version === 'upgraded') await migrate(former);
      const archive = new PassThrough();
      const whole = archive.toArray();
      await backup(archive, { databaseUrl: former, passphrase: null, settings: {} });
      const file = join(folder, `${version}.tar.gz`);
      await writeFile(file, Buffer.concat(await whole));
      const { url, env } = await emptyInstance();
      const restored = await upwatch(['restore', file], { ...env, APP_SECRET: SECRET });
      expect(restored, version).toMatchObject({ code: 0, err: '' });
      expect(await query(url, 'select name from teams'), version).toEqual({ rows: [{ name: 'Northwind' }], applied });
    }
  });

  it('reads one snapshot while rows are written', async () => {
    const before = await contentOf(testDatabase());
    let isFirst = true;
    const slow = new Transform({
      transform(chunk, _encoding, done) {
        const wait = isFirst ? createMonitor('During the backup').then(() => undefined) : Promise.resolve();
        isFirst = false;
        void wait.then(() => done(null, chunk), done);
      },
    });
    const whole = slow.toArray();
    await backup(slow, { databaseUrl: testDatabase(), passphrase: null, settings: {} });
    const file = join(folder, 'running.tar.gz');
    await writeFile(file, Buffer.concat(await whole));
    const { url, env } = await emptyInstance();
    expect(await upwatch(['restore', file], { ...env, APP_SECRET: SECRET })).toMatchObject({ code: 0, err: '' });
    expect(await contentOf(url)).toEqual(before);
    expect(await contentOf(testDatabase())).not.toEqual(before);
  });
});
