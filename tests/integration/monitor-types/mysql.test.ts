import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { evaluate, rulesOf } from '@/server/monitor-types/evaluate';
import { observe } from '@/server/monitor-types/probes';
import { definitions } from '@/server/monitor-types/schema';
import { asTeam, closedPort, tcpTarget } from '@/tests/integration/checks/targets';
import { trustedCertificate } from '@/tests/support/certificates';
import { hasProgram, type Program, startProgram } from '@/tests/support/servers/program';

const open: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

const SETUP = `
CREATE USER probe@'%' IDENTIFIED BY 'probe-password';
CREATE USER empty@'%' IDENTIFIED BY '';
CREATE DATABASE shop;
GRANT SELECT, CREATE ON shop.* TO probe@'%';
`;

/** A real MariaDB with the data of `folder`. */
function mariadb(data: string): Promise<Program> {
  return startProgram(
    'mariadbd',
    (port, folder) => [
      ...['--no-defaults', '--user=root', `--datadir=${data}`, `--port=${port}`, '--bind-address=127.0.0.1'],
      ...[
        `--socket=${join(folder, 's')}`,
        `--init-file=${join(folder, 'setup.sql')}`,
        '--innodb-flush-log-at-trx-commit=0',
      ],
      ...[`--ssl-cert=${join(folder, 'tls.crt')}`, `--ssl-key=${join(folder, 'tls.key')}`],
    ],
    { 'setup.sql': SETUP, 'tls.crt': trustedCertificate.cert, 'tls.key': trustedCertificate.key },
  );
}

async function check(port: number, changes: Record<string, unknown> = {}) {
  const login = { username: 'probe', password: 'probe-password' };
  const config = definitions.mysql.schema.parse({ host: 'localhost', port, timeoutMs: 5_000, ...login, ...changes });
  const target = { type: 'mysql', config } as const;
  const seen = await observe(target, asTeam());
  return { ...seen, ...evaluate(target, seen, new Date()), rules: rulesOf(target, seen, new Date()) };
}

describe.skipIf(!hasProgram('mariadbd'))('mysql probe with a real MariaDB (needs mariadb-server)', () => {
  let server: Program;
  let port: number;
  let data: string;

  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'upwatch-mariadb-data-'));
    const normal = '--auth-root-authentication-method=normal';
    execFileSync(
      'mariadb-install-db',
      ['--no-defaults', '--user=root', `--datadir=${data}`, normal, '--skip-test-db'],
      {
        stdio: 'ignore',
      },
    );
    server = await mariadb(data);
    port = server.port;
  }, 60_000);

  afterAll(async () => {
    await server?.stop();
    if (data) await rm(data, { recursive: true, force: true });
  });

  it('is up if the login and the query succeed, and shows no password', async () => {
    const seen = await check(port);
    expect(seen).toMatchObject({ status: 'up', error: null, evidence: { value: '1' }, certificate: null, rules: [] });
    for (const phase of ['connectMs', 'firstByteMs', 'downloadMs'] as const) expect(seen.timings[phase]).not.toBeNull();
    expect(seen.trace.exchanges).toMatchObject([{ line: 'SELECT 1', body: ['1'] }]);
    expect(JSON.stringify(seen)).not.toContain('probe-password');
    expect(await check(port, { username: 'empty', password: undefined })).toMatchObject({ status: 'up' });
  });

  it('is down with a wrong password, without one, and for a database that does not exist', async () => {
    expect((await check(port, { password: 'wrong' })).error).toMatch(
      /^The server replied: Access denied for user 'probe'/,
    );
    expect((await check(port, { password: undefined })).error).toMatch(/Access denied/);
    expect((await check(port, { database: 'nothing' })).error).toMatch(/Access denied|Unknown database/);
  });

  it('compares the first column of the first row', async () => {
    expect(await check(port, { database: 'shop', query: 'SELECT DATABASE()', expectedValue: 'shop' })).toMatchObject({
      status: 'up',
      rules: [{ rule: 'value "shop"', value: '"shop"', isMet: true }],
    });
    const query = "SELECT seq, 'x' FROM seq_7_to_100000";
    expect(await check(port, { query, database: 'shop', expectedValue: '7' })).toMatchObject({ status: 'up' });
    expect((await check(port, { query, database: 'shop', expectedValue: '8' })).error).toBe('Expected "8", got "7"');
    expect((await check(port, { query: 'SELECT NULL', expectedValue: 'x' })).error).toBe('Expected "x", got NULL');
    const none = 'SELECT 1 FROM (SELECT 1) x WHERE false';
    expect((await check(port, { query: none, expectedValue: '1' })).error).toBe('Expected "1", got no row');
    expect(await check(port, { query: `SELECT REPEAT('x', 1000)` })).toMatchObject({
      evidence: { value: 'x'.repeat(1_000) },
    });
    expect(await check(port, { query: 'DO 1' })).toMatchObject({ status: 'up', evidence: {} });
  });

  it('is down if the query fails, writes, or is several statements', async () => {
    expect((await check(port, { query: 'SELECT nothing' })).error).toMatch(/Unknown column/);
    const create = { database: 'shop', query: 'INSERT INTO x VALUES (1)' };
    expect(await check(port, create)).toMatchObject({ status: 'down' });
    expect((await check(port, { query: 'SELECT 1; SELECT 2' })).error).toMatch(/You have an error in your SQL syntax/);
  });

  it('ends a query at its timeout', async () => {
    expect(await check(port, { query: 'SELECT SLEEP(20)', timeoutMs: 500 })).toMatchObject({ status: 'down' });
    expect(await check(port, { query: 'SELECT SLEEP(0.3)' })).toMatchObject({ status: 'up' });
  });

  it('connects over TLS, and verifies the certificate unless that is off', async () => {
    expect(await check(port, { tls: true })).toMatchObject({ status: 'up', certificate: { subject: 'localhost' } });
    const other = { host: '127.0.0.2', tls: true };
    expect(await check(port, { ...other, verifyTls: false })).toMatchObject({ status: 'down' });
  });
});

/** A packet of a server. */
function packet(sequence: number, body: Buffer | string): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
  const head = Buffer.alloc(4);
  head.writeUIntLE(bytes.length, 0, 3);
  head[3] = sequence;
  return Buffer.concat([head, bytes]);
}

const SEED = Buffer.from('12345678abcdefghijkl');
const OK = Buffer.from([0, 0, 0, 2, 0, 0, 0]);
const END = Buffer.from([254, 0, 0, 2, 0]);

function greeting(method: string, capabilities = 0x0008_a208): Buffer {
  const flags = Buffer.alloc(4);
  flags.writeUInt32LE(capabilities);
  const [low, high] = [flags.subarray(0, 2), flags.subarray(2)];
  return packet(
    0,
    Buffer.concat([
      Buffer.from('\n8.4.0\0\x01\0\0\0'),
      ...[SEED.subarray(0, 8), Buffer.from([0]), low, Buffer.from([45, 2, 0]), high, Buffer.from([21])],
      ...[Buffer.alloc(10), SEED.subarray(8), Buffer.from([0]), Buffer.from(`${method}\0`)],
    ]),
  );
}

async function talker(greet: (socket: Socket) => void): Promise<number> {
  const target = await tcpTarget(greet);
  open.push(() => target.close());
  return target.port;
}

/** A server that greets, and answers each packet with the next of these. */
function script(...[first, ...replies]: Buffer[]): Promise<number> {
  return talker((socket) => {
    if (first) socket.write(first);
    socket.on('data', () => {
      const reply = replies.shift();
      if (reply) socket.write(reply);
    });
  });
}

const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
const xor = (text: Buffer, key: Buffer) =>
  Buffer.from(text.map((byte, index) => byte ^ (key[index % key.length] ?? 0)));

describe('mysql probe', () => {
  it('authenticates by caching_sha2_password with a proof', async () => {
    const said: Buffer[] = [];
    const port = await talker((socket) => {
      socket.write(greeting('caching_sha2_password'));
      const replies = [
        Buffer.concat([packet(2, Buffer.from([1, 3])), packet(3, OK)]),
        packet(1, OK),
        packet(1, OK),
        Buffer.concat([
          packet(1, Buffer.from([1])),
          packet(2, 'def'),
          packet(3, END),
          packet(4, '\x015'),
          packet(5, END),
        ]),
      ];
      socket.on('data', (part: Buffer) => {
        said.push(part);
        const reply = replies.shift();
        if (reply) socket.write(reply);
      });
    });
    expect(await check(port, { expectedValue: '5' })).toMatchObject({ status: 'up' });
    const password = Buffer.from('probe-password');
    const proof = xor(hash(password), hash(Buffer.concat([hash(hash(password)), SEED])));
    expect(said[0]?.includes(proof)).toBe(true);
    expect(Buffer.concat(said).includes('probe-password')).toBe(false);
  });

  it('never sends the password as it is, and not without TLS if that is on', async () => {
    const asks = Buffer.concat([Buffer.from([254]), Buffer.from('mysql_clear_password\0')]);
    const cleartext = await script(greeting('caching_sha2_password'), packet(2, asks));
    expect((await check(cleartext)).error).toMatch(/asks for the authentication "mysql_clear_password"/);
    const withoutTls = await script(greeting('caching_sha2_password'));
    expect((await check(withoutTls, { tls: true })).error).toBe('The server does not offer TLS');
    const asksItself = await script(greeting('caching_sha2_password'), packet(2, Buffer.from([1, 4])));
    expect((await check(asksItself)).error).toMatch(/^The server asks for the password itself: turn on TLS/);
  });

  it('is down if another protocol answers, the port is closed, or the connection breaks', async () => {
    const smtp = await talker((socket) => void socket.write('220 mail.test ESMTP\r\n'));
    expect((await check(smtp)).error).toBe('The server sent a packet that MySQL would not send');
    expect(await check(await closedPort())).toMatchObject({ error: 'Connection refused' });
    const refusing = await script(
      packet(0, Buffer.concat([Buffer.from([255, 16, 4]), Buffer.from('Too many connections')])),
    );
    expect((await check(refusing)).error).toBe('The server replied: Too many connections');
    const closing = await talker((socket) => void socket.end(packet(0, 'x').subarray(0, 3)));
    expect((await check(closing)).error).toBe('The connection was closed before the server replied');
    const silent = await talker(() => undefined);
    expect((await check(silent, { timeoutMs: 200 })).error).toBe('No response within 0.2 s');
  });

  const loggedIn = [greeting('caching_sha2_password'), packet(2, OK), packet(1, OK), packet(1, OK)];

  it.each([
    ['asks for a local file', packet(1, '\xfb/etc/passwd'), 'must not be'],
    ['sends a huge packet', Buffer.from([255, 255, 255, 1]), 'more than 64 KiB'],
    ['sends too many columns', packet(1, Buffer.from([252, 255, 255])), 'columns'],
    [
      'sends a value beyond its packet',
      Buffer.concat([packet(1, '\x01'), packet(2, 'd'), packet(3, END), packet(4, Buffer.from([200, 1]))]),
      'would not send',
    ],
    ['sends packets out of order', packet(9, OK), 'would not send'],
  ])('ends if the server %s', async (_name, bytes, error) => {
    const port = await script(...loggedIn, bytes);
    const seen = await check(port, { timeoutMs: 1_000 });
    expect(seen).toMatchObject({ status: 'down', outcome: 'failed' });
    expect(seen.error).toContain(error);
  });
});
