import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate } from '@/prisma/migrate';
import { temporaryPostgres } from '@/scripts/lib/database/temporary-postgres.mjs';
import { freePort } from '@/scripts/lib/ports.mjs';
import { claimSecret } from '@/server/platform/database/app-secret';
import { ANNOUNCE } from '@/server/platform/database/compatibility';

const SECRET = 'the secret of this test, long enough';
let server: Awaited<ReturnType<typeof temporaryPostgres>>;
let client: pg.Client;
let dataDir: string;

beforeAll(async () => {
  // Tests usually run without them, which the doctor would rightly report.
  server = await temporaryPostgres({ fsync: 'on', full_page_writes: 'on' });
  await migrate(server.url);
  await claimSecret(server.url, { present: SECRET });
  client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`select ${ANNOUNCE}`);
  await client.query(`insert into workers (id, region, version, lateness, lateness_ms, checks_per_minute, lateness_p99_ms)
    values ('alive', 'default', '1', '{}', 0, 0, 0)`);
  dataDir = await mkdtemp(join(tmpdir(), 'upwatch-doctor-'));
});
afterAll(async () => {
  await client?.end();
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

interface Finding {
  level: string;
  check: string;
  message: string;
  advice?: string;
}

async function run(env: Record<string, string>, ...args: string[]) {
  const { PATH = '', HOME = '/' } = process.env;
  const child = spawn(process.execPath, ['scripts/upwatch.mjs', 'doctor', ...args], {
    env: {
      NODE_ENV: 'production',
      PATH,
      HOME,
      DATA_DIR: dataDir,
      APP_SECRET: SECRET,
      DATABASE_URL: server.url,
      ...env,
    },
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (child.exitCode === null) await once(child, 'exit');
  return { code: child.exitCode, out, err };
}

async function doctor(env: Record<string, string>): Promise<{ code: number | null; err: string; findings: Finding[] }> {
  const { code, out, err } = await run(env, '--json');
  return { code, err, findings: JSON.parse(out) };
}

/** A server that accepts connections, and its port. */
async function listen(): Promise<{ port: number; close: () => void }> {
  const accepting = createServer((socket) => socket.destroy());
  accepting.listen(0, '127.0.0.1');
  await once(accepting, 'listening');
  const { port } = accepting.address() as { port: number };
  return { port, close: () => accepting.close() };
}

it('finds no error in a sound instance, and names each seeded fault with what to do', {
  timeout: 120_000,
}, async () => {
  const open = await listen();
  const dead = await freePort();
  const healthy = await doctor({ EGRESS_CANARIES: `127.0.0.1:${open.port}`, PORT: String(await freePort()) });
  expect(healthy.err).toBe('');
  const others = healthy.findings.filter(({ check }) => check !== 'DNS');
  expect(others.filter(({ level }) => level === 'error')).toEqual([]);
  expect(others.filter(({ level }) => level === 'ok').map(({ check }) => check)).toEqual(
    expect.arrayContaining([
      'Settings',
      'Database',
      'Clock',
      'Secrets',
      'Migrations',
      'Jobs',
      'Workers',
      'Web',
      'Egress',
    ]),
  );

  await client.query(`
    create role limited login bypassrls password 'limited';
    grant select on all tables in schema public, graphile_worker to limited;
    grant usage on schema graphile_worker to limited;
    revoke temporary on database postgres from public;
    create schema fake;
    grant usage on schema fake to limited;
    create function fake.clock_timestamp() returns timestamptz language sql as
      $$ select pg_catalog.clock_timestamp() + interval '10 minutes' $$;
    alter role limited set search_path = fake, public, pg_catalog;
    delete from _prisma_migrations where migration_name = (select max(migration_name) from _prisma_migrations);
    update workers set seen_at = now() - interval '1 hour';
    select graphile_worker.add_job('send-report', '{}', job_key := 'failed', max_attempts := 1);
    update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'no route to host' where key = 'failed';
    select graphile_worker.add_job('send-report', '{}', job_key := 'locked');
    update graphile_worker._private_jobs set locked_at = now() - interval '2 hours', locked_by = 'gone' where key = 'locked'`);
  await client.query('alter system set autovacuum = off');
  await client.query('select pg_reload_conf()');
  await writeFile(join(dataDir, 'app-secret'), 'readable by others', { mode: 0o644 });
  const taken = await listen();
  const url = new URL(server.url);
  const { code, findings } = await doctor({
    DATABASE_URL: `postgresql://limited:limited@${url.host}${url.pathname}`,
    APP_SECRET: 'not the secret of this database',
    APP_URL: 'http://up.example.com',
    SIGNUP: 'invite',
    PORT: String(taken.port),
    DNS_SERVERS: `127.0.0.1:${dead}`,
    EGRESS_CANARIES: `127.0.0.1:${dead}`,
    SMTP_URL: `smtp://127.0.0.1:${dead}`,
  });
  open.close();
  taken.close();
  expect(code).toBe(1);
  for (const [check, message] of [
    ['Settings', /^SIGNUP is no setting/],
    ['Settings', /APP_URL uses http/],
    ['Database', /may not create schemas/],
    ['Database', /may not create temporary tables/],
    ['Database', /autovacuum is off/],
    ['Clock', /600\.\d s apart/],
    ['Secrets', /not the secret of this database/],
    ['Secret file', /^Other users of this machine may read/],
    ['Migrations', /^1 migrations are pending/],
    ['Jobs', /^1 jobs send-report have failed for good: no route to host/],
    ['Jobs', /^1 jobs send-report are locked/],
    ['Workers', /^No worker runs/],
    ['Workers', /^1 workers ended without signing off/],
    ['Web', /cannot listen on port \d+ of 127\.0\.0\.1 \(EADDRINUSE\)/],
    ['DNS', /do not respond/],
    ['Egress', /cannot be reached/],
    ['Mail', /127\.0\.0\.1:\d+ cannot be used: connect ECONNREFUSED/],
  ] as const) {
    expect(findings).toContainEqual({
      level: expect.stringMatching(/^(note|error)$/),
      check,
      message: expect.stringMatching(message),
      advice: expect.stringMatching(/^[A-Z].+\.$/),
    });
  }
});

it('reports invalid settings and an unreachable database as findings, in plain text without colors', {
  timeout: 60_000,
}, async () => {
  const invalid = await doctor({ PORT: 'eighty' });
  expect(invalid).toMatchObject({ code: 1, err: '' });
  expect(invalid.findings).toEqual([expect.objectContaining({ level: 'error', check: 'Settings' })]);
  expect(invalid.findings[0]?.message).toMatch(/^PORT/);
  const dead = `postgresql://nobody@127.0.0.1:${await freePort()}/none`;
  const { code, out, err } = await run({ DATABASE_URL: dead, FORCE_COLOR: '1' });
  expect([code, err]).toEqual([1, '']);
  expect(out).toMatch(/^error {2}Database: It cannot be used: connect ECONNREFUSED .+\n {7}Check DATABASE_URL/m);
  expect(out).not.toContain('\x1b');
});
