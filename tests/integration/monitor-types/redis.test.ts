import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { evaluate, rulesOf } from '@/server/monitor-types/evaluate';
import { observe } from '@/server/monitor-types/probes';
import { definitions } from '@/server/monitor-types/schema';
import { asTeam, closedPort, tcpTarget } from '@/tests/integration/checks/targets';
import { otherNameCertificate, type ServerCertificate, trustedCertificate } from '@/tests/support/certificates';
import { hasProgram, type Program, startProgram } from '@/tests/support/servers/program';

const open: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

const BARE = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
const ACL = ['--requirepass', 'the default password', '--user', ...'probe on >probe-password +ping'.split(' ')];

/** A real Redis; over TLS with this certificate. */
function redisServer(args: string[] = [], certificate?: ServerCertificate): Promise<Program> {
  const files = { ...(certificate && { 'tls.crt': certificate.cert, 'tls.key': certificate.key }) };
  const tls = ['--tls-cert-file', 'tls.crt', '--tls-key-file', 'tls.key', '--tls-auth-clients', 'no'];
  return startProgram(
    'redis-server',
    (port) => [
      ...BARE,
      ...args,
      ...(certificate ? ['--port', '0', '--tls-port', `${port}`, ...tls] : ['--port', `${port}`]),
    ],
    files,
  );
}

/** A server that sends these texts, each for the data that it receives. */
async function script(...replies: string[]): Promise<number> {
  return talker((socket) => {
    socket.on('data', () => {
      const reply = replies.shift();
      if (reply !== undefined) socket.write(reply);
    });
  });
}

async function talker(greet: (socket: Socket) => void): Promise<number> {
  const target = await tcpTarget(greet);
  open.push(() => target.close());
  return target.port;
}

async function check(port: number, changes: Record<string, unknown> = {}) {
  const config = definitions.redis.schema.parse({ host: 'localhost', port, timeoutMs: 2_000, ...changes });
  const seen = await observe({ type: 'redis', config }, asTeam());
  const rules = rulesOf({ type: 'redis', config }, seen, new Date());
  return { ...seen, ...evaluate({ type: 'redis', config }, seen, new Date()), rules };
}

describe.skipIf(!hasProgram('redis-server'))('redis probe with a real server (needs redis-server)', () => {
  let plain: Program;
  let guarded: Program;
  beforeAll(async () => {
    [plain, guarded] = await Promise.all([redisServer(), redisServer(ACL)]);
  });
  afterAll(() => Promise.all([plain?.stop(), guarded?.stop()]));

  it('is up if the server answers PING, and measures the phases', async () => {
    const seen = await check(plain.port);
    expect(seen).toMatchObject({ status: 'up', error: null, certificate: null, rules: [] });
    expect(seen.timings.firstByteMs).toBeGreaterThan(0);
    expect(seen.trace.exchanges).toMatchObject([{ line: 'PING', body: ['+PONG'] }]);
  });

  it('authenticates with a password, or as an ACL user, and shows neither password', async () => {
    expect(await check(guarded.port, { password: 'the default password' })).toMatchObject({ status: 'up' });
    const seen = await check(guarded.port, { username: 'probe', password: 'probe-password' });
    expect(seen).toMatchObject({ status: 'up' });
    expect(seen.trace.exchanges[0]).toMatchObject({ line: 'AUTH probe ••••', body: ['+OK'] });
    expect(JSON.stringify(seen)).not.toContain('probe-password');
  });

  it('is down with a wrong password, without the needed one, and with one that the server does not know', async () => {
    expect(await check(guarded.port, { password: 'wrong' })).toMatchObject({
      status: 'down',
      error: expect.stringMatching(/^The server rejected AUTH: WRONGPASS/),
    });
    expect((await check(guarded.port)).error).toMatch(/^The server rejected PING: NOAUTH/);
    expect((await check(plain.port, { password: 'x' })).error).toMatch(/^The server rejected AUTH: ERR/);
  });

  it('compares the role in replication', async () => {
    expect(await check(plain.port, { role: 'primary' })).toMatchObject({
      status: 'up',
      rules: [{ rule: 'role primary', value: 'primary', isMet: true }],
    });
    expect(await check(plain.port, { role: 'replica' })).toMatchObject({
      status: 'down',
      error: 'Expected the role replica, got primary',
    });
    const copy = await redisServer(['--replicaof', '127.0.0.1', `${plain.port}`]);
    open.push(copy.stop);
    expect(await check(copy.port, { role: 'replica' })).toMatchObject({ status: 'up' });
    const forbidden = await check(guarded.port, { username: 'probe', password: 'probe-password', role: 'primary' });
    expect(forbidden.error).toMatch(/^The server rejected ROLE: NOPERM/);
  });

  it('connects over TLS, and verifies the certificate unless that is off', async () => {
    const trusted = await redisServer([], trustedCertificate);
    open.push(trusted.stop);
    expect(await check(trusted.port, { tls: true })).toMatchObject({
      status: 'up',
      certificate: { subject: 'localhost', validTo: new Date('2119-01-01T00:00:00Z') },
    });
    expect(await check(trusted.port)).toMatchObject({ status: 'down' });
    expect(await check(plain.port, { tls: true })).toMatchObject({ status: 'down' });
    const other = await redisServer([], otherNameCertificate);
    open.push(other.stop);
    expect((await check(other.port, { tls: true })).error).toMatch(/another name/);
    expect(await check(other.port, { tls: true, verifyTls: false })).toMatchObject({ status: 'up' });
  });
});

describe('redis probe', () => {
  it('is down if another protocol answers, the port is closed, or the connection breaks', async () => {
    expect((await check(await script('HTTP/1.1 400 Bad Request\r\n'))).error).toBe(
      'Expected a reply of Redis to PING, got "HTTP/1.1 400 Bad Request"',
    );
    expect(await check(await closedPort())).toMatchObject({ error: 'Connection refused' });
    const closing = await talker((socket) => void socket.end('+PO'));
    expect(await check(closing)).toMatchObject({ error: 'The connection was closed before the server replied' });
    const resetting = await talker((socket) => void socket.once('data', () => socket.resetAndDestroy()));
    expect(await check(resetting)).toMatchObject({ status: 'down', outcome: 'failed' });
  });

  it.each(['+PONG\r\n', ':1\r\n', '*1\r\n:1\r\n', '*1\r\n$900\r\n', '*1\r\n$-1\r\n'])(
    'is down if the reply to ROLE is %j',
    async (reply) => {
      expect((await check(await script('+PONG\r\n', reply), { role: 'primary' })).error).toMatch(/^Expected a reply/);
    },
  );

  it('respects its timeout if the server is silent, slow or drips', async () => {
    const limit = { timeoutMs: 200 };
    expect(await check(await script(), limit)).toMatchObject({ error: 'No response within 0.2 s' });
    const silent = await script('+OK\r\n');
    expect((await check(silent, { ...limit, password: 'x' })).error).toBe('The response did not end within 0.2 s');
    const slow = await talker((socket) => {
      socket.on('data', () => setTimeout(() => socket.write('+PONG\r\n'), 100));
    });
    expect(await check(slow)).toMatchObject({ status: 'up' });
    const dripping = await talker((socket) => {
      const timer = setInterval(() => socket.write('+'), 20);
      socket.once('close', () => clearInterval(timer));
    });
    expect(await check(dripping, limit)).toMatchObject({ status: 'down', outcome: 'failed' });
  });

  it.each(['+', '+more\r\n'])('ends if the server sends %j without an end', async (text) => {
    const port = await talker((socket) => {
      const many = text.repeat(10_000);
      const write = () => {
        while (!socket.destroyed && socket.write(many));
      };
      socket.on('drain', write);
      write();
    });
    expect((await check(port)).error).toMatch(/^(The server sent more than|Expected a reply)/);
  });
});
