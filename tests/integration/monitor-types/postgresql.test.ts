import { execFileSync } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { temporaryPostgres } from '@/scripts/lib/database/temporary-postgres.mjs';
import { evaluate, rulesOf } from '@/server/monitor-types/evaluate';
import { observe } from '@/server/monitor-types/probes';
import { definitions } from '@/server/monitor-types/schema';
import { asTeam, closedPort, tcpTarget } from '@/tests/integration/checks/targets';
import { trustedCertificate } from '@/tests/support/certificates';
import { until } from '@/tests/support/receivers';

let server: Awaited<ReturnType<typeof temporaryPostgres>>;
let admin: Client;
let port: number;
let folder: string;
const open: (() => Promise<unknown>)[] = [];

/** Writes a file with the owner of the data. */
async function put(name: string, text: string): Promise<void> {
  const { uid, gid } = await stat(folder);
  await writeFile(join(folder, name), text, { mode: 0o600 });
  execFileSync('chown', [`${uid}:${gid}`, join(folder, name)]);
}

beforeAll(async () => {
  server = await temporaryPostgres();
  admin = new Client({ connectionString: server.url });
  await admin.connect();
  port = Number(new URL(server.url).port);
  folder = (await admin.query('SHOW data_directory')).rows[0].data_directory;
  for (const statement of [
    "CREATE ROLE probe LOGIN PASSWORD 'probe-password'",
    "CREATE ROLE plain LOGIN PASSWORD 'plain-password'",
    "SET password_encryption = 'md5'",
    "CREATE ROLE older LOGIN PASSWORD 'older-password'",
    'CREATE DATABASE shop',
  ]) {
    await admin.query(statement);
  }
  const lines = ['host all plain 127.0.0.1/32 password', 'host all older 127.0.0.1/32 md5'];
  await put('pg_hba.conf', `${lines.join('\n')}\n${await readFile(join(folder, 'pg_hba.conf'), 'utf8')}`);
  await put('server.crt', trustedCertificate.cert);
  await put('server.key', trustedCertificate.key);
  await admin.query('SELECT pg_reload_conf()');
});

afterAll(async () => {
  await admin?.end();
  await server?.stop();
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

async function talker(greet: (socket: Socket) => void): Promise<number> {
  const target = await tcpTarget(greet);
  open.push(() => target.close());
  return target.port;
}

/** A server that answers everything with these bytes. */
const always = (bytes: string | Buffer) => talker((socket) => void socket.on('data', () => socket.write(bytes)));

/** A message of a server. */
function message(kind: string, body: Buffer | string): Buffer {
  const bytes = Buffer.from(body);
  const head = Buffer.alloc(5, kind);
  head.writeInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
}

const login = { username: 'probe', password: 'probe-password', database: 'postgres' };

async function check(changes: Record<string, unknown> = {}) {
  const config = definitions.postgresql.schema.parse({
    host: 'localhost',
    port,
    timeoutMs: 5_000,
    ...login,
    ...changes,
  });
  const target = { type: 'postgresql', config } as const;
  const seen = await observe(target, asTeam());
  return { ...seen, ...evaluate(target, seen, new Date()), rules: rulesOf(target, seen, new Date()) };
}

describe('postgresql probe', () => {
  it('is up if the login (SCRAM) and the query succeed, and shows no password', async () => {
    const seen = await check();
    expect(seen).toMatchObject({ status: 'up', error: null, evidence: { value: '1' }, certificate: null, rules: [] });
    for (const phase of ['connectMs', 'firstByteMs', 'downloadMs'] as const) expect(seen.timings[phase]).not.toBeNull();
    expect(seen.trace.exchanges).toMatchObject([{ line: 'SELECT 1', body: ['1'] }]);
    expect(JSON.stringify(seen)).not.toContain('probe-password');
  });

  it.each([
    ['MD5', 'older'],
    ['a cleartext password', 'plain'],
  ])('authenticates with %s', async (_name, username) => {
    expect(await check({ username, password: `${username}-password` })).toMatchObject({ status: 'up' });
    expect((await check({ username, password: 'wrong' })).error).toMatch(/password authentication failed/);
  });

  it('is down with a wrong password, without one, and for a database that does not exist', async () => {
    expect(await check({ password: 'wrong' })).toMatchObject({
      status: 'down',
      error: 'The server replied: password authentication failed for user "probe"',
    });
    expect((await check({ password: undefined })).error).toBe(
      'The server asks for a password, and the monitor has none',
    );
    expect((await check({ database: 'nothing' })).error).toBe('The server replied: database "nothing" does not exist');
  });

  it('uses the chosen database, by default that of the user', async () => {
    const query = 'SELECT current_database()';
    expect(await check({ database: 'shop', query, expectedValue: 'shop' })).toMatchObject({ status: 'up' });
    expect((await check({ database: undefined })).error).toBe('The server replied: database "probe" does not exist');
  });

  it('compares the first column of the first row', async () => {
    const query = "SELECT n, 'x' FROM generate_series(7, 100000) n";
    expect(await check({ query, expectedValue: '7' })).toMatchObject({
      status: 'up',
      rules: [{ rule: 'value "7"', value: '"7"', isMet: true }],
    });
    expect(await check({ query, expectedValue: '8' })).toMatchObject({
      status: 'down',
      error: 'Expected "8", got "7"',
      rules: [{ isMet: false }],
    });
    const hidden = await check({ query, expectedValue: '8', saveResponseBody: false });
    expect(hidden.error).toBe('Expected "8", got a value that is not saved');
    expect((await check({ query: 'SELECT NULL', expectedValue: 'x' })).error).toBe('Expected "x", got NULL');
    expect((await check({ query: 'SELECT 1 WHERE false', expectedValue: '1' })).error).toBe('Expected "1", got no row');
    expect(await check({ query: 'SELECT 1 WHERE false' })).toMatchObject({ status: 'up' });
  });

  it('is down if the query fails, writes, is several statements, or copies', async () => {
    const replies = {
      'SELECT 1/0': 'division by zero',
      'CREATE TABLE x (y int)': 'cannot execute CREATE TABLE in a read-only transaction',
      'SELECT 1; SELECT 2': 'cannot insert multiple commands into a prepared statement',
    };
    for (const [query, text] of Object.entries(replies)) {
      expect(await check({ query })).toMatchObject({ status: 'down', error: `The server replied: ${text}` });
    }
    expect((await check({ query: 'COPY (SELECT 1) TO STDOUT' })).error).toBe('The query must not be COPY');
  });

  it('ends a query at its timeout, on the server too', async () => {
    expect(await check({ query: 'SELECT pg_sleep(20) AS slow', timeoutMs: 500 })).toMatchObject({ status: 'down' });
    const running = async () => {
      const { rows } = await admin.query(
        "SELECT 1 FROM pg_stat_activity WHERE query LIKE '%AS slow' AND usename = 'probe' AND state = 'active'",
      );
      return rows.length === 0;
    };
    await until(running, 5_000, 'The end of the query');
    expect(await check({ query: 'SELECT pg_sleep(0.3)' })).toMatchObject({ status: 'up' });
  });

  it('connects over TLS, and verifies the certificate unless that is off', async () => {
    expect((await check({ tls: true })).error).toBe('The server does not offer TLS');
    await admin.query('ALTER SYSTEM SET ssl = on');
    await admin.query('SELECT pg_reload_conf()');
    await until(async () => (await check({ tls: true })).status === 'up', 5_000, 'TLS');
    expect(await check({ tls: true })).toMatchObject({ certificate: { subject: 'localhost' } });
    expect(await check()).toMatchObject({ status: 'up', certificate: null });
  });

  it('is down if another protocol answers, the port is closed, or the connection breaks', async () => {
    expect((await check({ port: await always('HTTP/1.1 400 Bad Request\r\n\r\n') })).error).toBe(
      'Expected a reply of PostgreSQL, got a message of the kind "H"',
    );
    expect(await check({ port: await closedPort() })).toMatchObject({ error: 'Connection refused' });
    const closing = await talker((socket) => void socket.once('data', () => socket.end('R')));
    expect((await check({ port: closing })).error).toBe('The connection was closed before the server replied');
    expect((await check({ port: await always('X'), tls: true })).error).toMatch(/^Expected a reply/);
    expect((await check({ port: await always('Splain'), tls: true })).error).toMatch(/plain text/);
  });

  it('respects its timeout if the server is silent', async () => {
    const silent = await talker(() => undefined);
    expect((await check({ port: silent, timeoutMs: 200 })).error).toBe('No response within 0.2 s');
    expect(await check({ port: silent, timeoutMs: 200, tls: true })).toMatchObject({ status: 'down' });
  });

  it.each([
    ['an error without an end', message('E', 'SERROR'), 'an error without a text'],
    ['a row with a wrong length', message('D', Buffer.from([0, 1, 0, 0, 9, 9])), ''],
    ['too many SCRAM iterations', message('R', Buffer.from([0, 0, 0, 11])), 'does not support'],
    ['an unknown authentication', message('R', Buffer.from([0, 0, 0, 7])), 'does not support'],
    ['a huge message', Buffer.from([83, 127, 255, 255, 255]), 'more than 64 KiB'],
    ['endless messages', message('S', 'a\0b\0'), ''],
  ])('ends if the server sends %s', async (_name, bytes, error) => {
    const port = await talker((socket) => {
      const many = Buffer.concat(Array<Buffer>(2_000).fill(bytes));
      socket.on('data', () => socket.write(many));
    });
    const seen = await check({ port, timeoutMs: 1_000 });
    expect(seen).toMatchObject({ status: 'down', outcome: 'failed' });
    expect(seen.error).toContain(error);
  });

  it('rejects a server that asks for too many SCRAM iterations, and one that does not know the password', async () => {
    const scram = (final: (nonce: string) => string) =>
      talker((socket) => {
        socket.once('data', () => {
          socket.write(message('R', Buffer.concat([Buffer.from([0, 0, 0, 10]), Buffer.from('SCRAM-SHA-256\0\0')])));
          socket.once('data', (part: Buffer) => {
            const nonce = part.toString('latin1').split('r=')[1] ?? '';
            socket.write(message('R', Buffer.concat([Buffer.from([0, 0, 0, 11]), Buffer.from(final(nonce))])));
            socket.once('data', () => {
              socket.write(message('R', Buffer.concat([Buffer.from([0, 0, 0, 12]), Buffer.from('v=AAAA')])));
            });
          });
        });
      });
    const salt = 'c2FsdHNhbHQ=';
    const many = await scram((nonce) => `r=${nonce}x,s=${salt},i=2147483647`);
    expect((await check({ port: many })).error).toMatch(/SCRAM/);
    const more = await scram((nonce) => `r=${nonce}x,s=${salt},i=100001`);
    expect((await check({ port: more })).error).toMatch(/100001 SCRAM iterations/);
    const stranger = await scram((nonce) => `r=${nonce}x,s=${salt},i=4096`);
    expect((await check({ port: stranger })).error).toMatch(/violated the authentication protocol/);
    const other = await scram(() => `r=other,s=${salt},i=4096`);
    expect((await check({ port: other })).error).toMatch(/violated the authentication protocol/);
  });
});
