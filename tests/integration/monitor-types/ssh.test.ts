import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { evaluate, rulesOf } from '@/server/monitor-types/evaluate';
import { observe } from '@/server/monitor-types/probes';
import { definitions } from '@/server/monitor-types/schema';
import { asTeam, closedPort, tcpTarget } from '@/tests/integration/checks/targets';
import { until } from '@/tests/support/receivers';
import { hasProgram, type Program, startProgram } from '@/tests/support/servers/program';

const open: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

/** It starts itself again by this path. */
const SSHD = '/usr/sbin/sshd';

/** A real OpenSSH server with these lines in its configuration. */
async function sshServer(...lines: string[]): Promise<Program> {
  // As root, it needs its folder for unprivileged processes.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const config = ['ListenAddress 127.0.0.1', 'UsePAM no', 'PidFile none', 'StrictModes no', ...lines].join('\n');
  return startProgram(
    SSHD,
    (port, folder) => {
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', `${folder}/key`]);
      return ['-D', '-e', '-p', `${port}`, '-f', `${folder}/sshd_config`, '-h', `${folder}/key`];
    },
    { sshd_config: `${config}\n` },
  );
}

async function talker(greet: (socket: Socket) => void): Promise<number> {
  const target = await tcpTarget(greet);
  open.push(() => target.close());
  return target.port;
}

const says = (text: string | Buffer, ends = false) =>
  talker((socket) => void (ends ? socket.end(text) : socket.write(text)));

async function check(port: number, changes: Record<string, unknown> = {}) {
  const config = definitions.ssh.schema.parse({ host: 'localhost', port, ...changes });
  const seen = await observe({ type: 'ssh', config }, asTeam());
  const rules = rulesOf({ type: 'ssh', config }, seen, new Date());
  return { ...seen, ...evaluate({ type: 'ssh', config }, seen, new Date()), rules };
}

describe.skipIf(!hasProgram(SSHD))('ssh probe with a real server (needs sshd)', () => {
  let server: Program;
  beforeAll(async () => {
    server = await sshServer(
      'HostKeyAlgorithms ssh-ed25519',
      'KexAlgorithms curve25519-sha256',
      'VersionAddendum probe',
    );
  });
  afterAll(() => server?.stop());

  it('is up if the server sends its version and its algorithms, and measures the phases', async () => {
    const seen = await check(server.port);
    expect(seen).toMatchObject({ status: 'up', error: null, rules: [] });
    expect(seen.evidence?.version).toMatch(/^SSH-2\.0-OpenSSH_.* probe$/);
    expect(seen.timings.firstByteMs).toBeGreaterThan(0);
    expect(seen.timings.downloadMs).not.toBeNull();
    expect(seen.trace.exchanges).toMatchObject([
      {
        line: 'SSH-2.0-Upwatch',
        body: [
          expect.stringMatching(/^SSH-2\.0-OpenSSH/),
          expect.stringMatching(/^Key exchange: curve25519-sha256(,|$)/),
          'Host keys: ssh-ed25519',
        ],
      },
    ]);
  });

  it('compares the version with a text and a pattern', async () => {
    expect(await check(server.port, { expect: 'OpenSSH_', pattern: '_\\d+\\.\\d+.* probe$' })).toMatchObject({
      status: 'up',
      rules: [
        { rule: 'version contains "OpenSSH_"', isMet: true },
        { rule: 'version matches "_\\\\d+\\\\.\\\\d+.* probe$"', isMet: true },
      ],
    });
    const other = await check(server.port, { expect: 'dropbear' });
    expect(other.status).toBe('down');
    expect(other.error).toMatch(/^Expected version to contain "dropbear", got "SSH-2\.0-OpenSSH/);
    expect((await check(server.port, { pattern: '^OpenSSH' })).error).toMatch(/^Expected version to match "\^OpenSSH"/);
  });

  it('is degraded if the server is slower than the threshold', async () => {
    expect(await check(server.port, { degradedAfterMs: 60_000 })).toMatchObject({
      status: 'up',
      rules: [{ rule: 'response time ≤ 60000 ms', isMet: true }],
    });
    // A connection to a process that forks takes longer than that.
    expect(await check(server.port, { degradedAfterMs: 1 })).toMatchObject({
      status: 'degraded',
      error: expect.stringMatching(/^Responded in \d+ ms, more than 1 ms$/),
    });
  });

  it('quotes what a server says that accepts no more connections', async () => {
    const busy = await sshServer('MaxStartups 1:100:1');
    open.push(busy.stop);
    // One that holds the only place. The connection of the start may still have it.
    const hold = () =>
      new Promise<string>((resolve) => {
        const socket = connect(busy.port, '127.0.0.1');
        open.push(async () => socket.destroy());
        socket.once('data', (data) => resolve(String(data)));
        socket.once('close', () => resolve(''));
        socket.once('error', () => resolve(''));
      });
    await until(async () => (await hold()).startsWith('SSH-'), 5_000, 'A place');
    const seen = await check(busy.port);
    expect(seen).toMatchObject({ status: 'down', outcome: 'failed' });
    expect(seen.error).toBe('Expected the version of an SSH server, got "Exceeded MaxStartups"');
  });
});

describe('ssh probe', () => {
  it('is down if another protocol answers, the port is closed, or the connection breaks', async () => {
    expect((await check(await says('HTTP/1.1 400 Bad Request\r\n\r\n', true))).error).toBe(
      'Expected the version of an SSH server, got "HTTP/1.1 400 Bad Request"',
    );
    expect(await check(await closedPort())).toMatchObject({ status: 'down', error: 'Connection refused' });
    expect(await check(await says('SSH-2.0', true))).toMatchObject({
      error: 'The connection was closed before the server replied',
    });
    const refusing = await talker((socket) => {
      socket.write('Not allowed at this time\r\n');
      socket.once('data', () => setTimeout(() => socket.resetAndDestroy(), 20));
    });
    expect((await check(refusing)).error).toBe('Expected the version of an SSH server, got "Not allowed at this time"');
    const resetting = await talker((socket) => void socket.once('data', () => socket.resetAndDestroy()));
    expect(await check(resetting)).toMatchObject({ status: 'down', outcome: 'failed' });
  });

  it.each([
    ['SSH-1.5-old\r\n', 'The server does not speak SSH 2: SSH-1.5-old'],
    ['SSH-2.0-\r\n', 'Expected the version of an SSH server, got "SSH-2.0-"'],
    [`SSH-2.0-${'x'.repeat(246)}\r\n`, `Expected the version of an SSH server, got "SSH-2.0-${'x'.repeat(72)}…"`],
    [`${'welcome\r\n'.repeat(101)}SSH-2.0-late\r\n`, 'Expected the version of an SSH server, got "welcome"'],
    ['SSH-1.99-x\r\n\0\0\0\u0005\u0001aaaa', 'The server sent a packet that SSH does not allow'],
    ['SSH-2.0-x\r\n\u007f\0\0\0', 'The server sent a packet that SSH does not allow'],
    [
      `SSH-2.0-x\r\n\0\0\0\u0015\u0004${'\u0001\0\0\0\u0002\0\0\0\u0007go away'}\0\0\0\0`,
      'The server ended the connection: go away',
    ],
  ])('is down for %j', async (text, error) => {
    expect(await check(await says(text))).toMatchObject({ status: 'down', error });
  });

  it('accepts lines before the version, and a version of 253 characters', async () => {
    const version = `SSH-2.0-${'x'.repeat(245)}`;
    const refusal = '\0\0\0\u000e\u0004\u0001\0\0\0\u0002\0\0\0\0\0\0\0\0';
    const seen = await check(await says(`hello\r\n\r\n${version}\n${refusal}`));
    expect(seen.error).toBe('The server ended the connection: no reason given');
    expect(seen.trace.exchanges[0]?.body).toEqual(['hello', '', version]);
  });

  it('respects its timeout if the server is silent, stops after its version, or drips', async () => {
    const limit = { timeoutMs: 200 };
    expect(await check(await talker(() => {}), limit)).toMatchObject({ error: 'No response within 0.2 s' });
    expect(await check(await says('welcome\r\n'), limit)).toMatchObject({ error: 'No response within 0.2 s' });
    expect(await check(await says('SSH-2.0-x\r\n'), limit)).toMatchObject({
      error: 'The response did not end within 0.2 s',
    });
    const dripping = await talker((socket) => {
      const timer = setInterval(() => socket.write('S'), 20);
      socket.once('close', () => clearInterval(timer));
    });
    expect(await check(dripping, limit)).toMatchObject({ status: 'down', outcome: 'failed' });
  });

  it.each(['S', 'more\r\n'])('ends if the server sends %j without an end', async (text) => {
    const port = await talker((socket) => {
      const many = text.repeat(10_000);
      const write = () => {
        while (!socket.destroyed && socket.write(many));
      };
      socket.on('drain', write);
      write();
    });
    expect((await check(port)).error).toMatch(/^(The server sent more than|Expected the version)/);
  });
});

it('refuses an empty text and a pattern that is too long', () => {
  const { schema } = definitions.ssh;
  expect(schema.safeParse({ host: 'a.test', expect: '' }).success).toBe(false);
  expect(schema.safeParse({ host: 'a.test', pattern: 'x'.repeat(513) }).success).toBe(false);
  expect(schema.parse({ host: 'a.test' })).toMatchObject({ port: 22, timeoutMs: 10_000 });
});
