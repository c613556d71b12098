import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { userInfo } from 'node:os';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '@/scripts/lib/ports.mjs';
import { withoutSecrets } from '@/server/incidents/evidence/secrets';
import { evaluate } from '@/server/monitor-types/evaluate';
import { observe } from '@/server/monitor-types/probes';
import { definitions } from '@/server/monitor-types/schema';
import { asTeam, closedPort, tcpTarget } from '@/tests/integration/checks/targets';
import {
  expiredCertificate,
  otherNameCertificate,
  type ServerCertificate,
  trustedCertificate,
} from '@/tests/support/certificates';
import { type Program, startProgram } from '@/tests/support/servers/program';

const open: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

/** Whether this machine has a Dovecot that reads the configuration below. */
function hasDovecot(): boolean {
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
  try {
    return execFileSync('dovecot', ['--version'], { env, encoding: 'utf8' }).startsWith('2.3.');
  } catch {
    return false;
  }
}

type Protocol = 'imap' | 'pop3';
type Ports = Record<`${Protocol}${'' | 's'}`, number>;

/** Returns the configuration of a Dovecot in a folder. */
function configOf(folder: string, ports: Ports): string {
  const { uid, gid, username } = userInfo();
  const isRoot = uid === 0;
  const listener = (name: string, port: number) => `inet_listener ${name} {\n port = ${port}\n}`;
  return [
    // As root, it uses the accounts of its package, and nobody's for the mailboxes.
    ...(isRoot
      ? []
      : [`default_login_user = ${username}`, `default_internal_user = ${username}`, 'default_internal_group =']),
    `state_dir = ${folder}`,
    `base_dir = ${folder}/run`,
    `log_path = ${folder}/log`,
    'protocols = imap pop3',
    'listen = 127.0.0.1',
    'auth_failure_delay = 0',
    `ssl_cert = <${folder}/tls.crt`,
    `ssl_key = <${folder}/tls.key`,
    `mail_location = maildir:${folder}/mail`,
    `passdb {\n driver = passwd-file\n args = scheme=plain username_format=%u ${folder}/users\n}`,
    `userdb {\n driver = static\n args = uid=${isRoot ? 65_534 : uid} gid=${isRoot ? 65_534 : gid} home=${folder}/mail\n}`,
    `service imap-login {\n${listener('imap', ports.imap)}\n${listener('imaps', ports.imaps)}\n${isRoot ? '' : 'chroot =\n'}}`,
    `service pop3-login {\n${listener('pop3', ports.pop3)}\n${listener('pop3s', ports.pop3s)}\n${isRoot ? '' : 'chroot =\n'}}`,
    // Without delays after failed logins.
    `service anvil {\n${isRoot ? '' : 'chroot =\n'}unix_listener anvil-auth-penalty {\n mode = 0\n}\n}`,
    ...(isRoot ? [] : ['service stats {\n chroot =\n}']),
  ].join('\n');
}

const LOGIN = { username: 'kim', password: 'a good password' };
const USER = { username: 'kim', password: 'pass "word" \\ ü' };

/** A real Dovecot with this certificate, and the ports of its protocols. */
async function dovecot(certificate: ServerCertificate): Promise<{ program: Program; ports: Ports }> {
  const [imaps, pop3, pop3s] = await Promise.all([freePort(), freePort(), freePort()]);
  const ports = { imap: 0, imaps, pop3, pop3s };
  const program = await startProgram(
    'dovecot',
    (port, folder) => {
      ports.imap = port;
      mkdirSync(`${folder}/mail`);
      chmodSync(`${folder}/mail`, 0o777);
      writeFileSync(`${folder}/dovecot.conf`, `${configOf(folder, ports)}\n`);
      return ['-F', '-c', `${folder}/dovecot.conf`];
    },
    { 'tls.crt': certificate.cert, 'tls.key': certificate.key, users: `${USER.username}:{PLAIN}${USER.password}\n` },
  );
  return { program, ports };
}

async function talker(greet: (socket: Socket) => void, secure = false): Promise<number> {
  const target = await tcpTarget(greet, { secure, certificate: trustedCertificate });
  open.push(() => target.close());
  return target.port;
}

/** A server that sends a greeting, then one of these texts for each line. */
const script = (secure: boolean, greeting: string, ...replies: string[]) =>
  talker((socket) => {
    socket.write(greeting);
    socket.on('data', () => {
      const reply = replies.shift();
      if (reply !== undefined) socket.write(reply);
    });
  }, secure);

async function check(protocol: Protocol, port: number, changes: Record<string, unknown> = {}) {
  const given = { protocol, host: 'localhost', port, security: 'none', ...changes };
  const config = definitions.mailbox.schema.parse(given);
  const seen = await observe({ type: 'mailbox', config }, asTeam());
  return { ...seen, ...evaluate({ type: 'mailbox', config }, seen, new Date()) };
}

describe.skipIf(!hasDovecot())('mailbox probe with a real server (needs dovecot 2.3)', () => {
  let server: { program: Program; ports: Ports };
  beforeAll(async () => {
    server = await dovecot(trustedCertificate);
  });
  afterAll(() => server?.program.stop());

  it.each(['imap', 'pop3'] as const)('is up if the server greets by %s, and measures the phases', async (protocol) => {
    const seen = await check(protocol, server.ports[protocol]);
    expect(seen).toMatchObject({ status: 'up', error: null, certificate: null });
    expect(seen.timings.firstByteMs).toBeGreaterThan(0);
    expect(seen.trace.exchanges).toMatchObject([{ line: null, body: [expect.stringMatching(/^(\* OK|\+OK) /)] }]);
  });

  it.each([
    ['imap', 'starttls', 'imap', ['STARTTLS', 'LOGIN']],
    ['imap', 'tls', 'imaps', ['LOGIN']],
    ['pop3', 'starttls', 'pop3', ['STLS', 'USER', 'PASS']],
    ['pop3', 'tls', 'pop3s', ['USER', 'PASS']],
  ] as const)('logs in by %s over %s, and shows no password', async (protocol, security, port, commands) => {
    const seen = await check(protocol, server.ports[port], { security, ...USER });
    expect(seen).toMatchObject({
      status: 'up',
      error: null,
      certificate: { subject: 'localhost', validTo: new Date('2119-01-01T00:00:00Z') },
    });
    expect(seen.trace.exchanges.map(({ line }) => line)).toEqual([null, ...commands]);
    expect(JSON.stringify(seen)).not.toContain('word');
  });

  it('is down with a wrong password, or over TLS that the port does not have', async () => {
    const wrong = { security: 'starttls', ...USER, password: 'wrong' };
    expect((await check('imap', server.ports.imap, wrong)).error).toMatch(/^The server rejected LOGIN: \[AUTH/);
    expect((await check('pop3', server.ports.pop3, wrong)).error).toMatch(/^The server rejected PASS: \[AUTH/);
    expect(await check('imap', server.ports.imap, { security: 'tls' })).toMatchObject({
      error: 'The port does not support TLS',
    });
  });

  it.each([
    ['expired', expiredCertificate, /expired/],
    ['for another name', otherNameCertificate, /another name/],
  ])('is down if the certificate is %s, unless it is not verified', async (_name, certificate, error) => {
    const other = await dovecot(certificate);
    open.push(other.program.stop);
    for (const [security, port] of [
      ['starttls', other.ports.imap],
      ['tls', other.ports.imaps],
    ] as const) {
      expect((await check('imap', port, { security })).error).toMatch(error);
      expect(await check('imap', port, { security, verifyTls: false, ...USER })).toMatchObject({ status: 'up' });
    }
  });
});

describe('mailbox probe', () => {
  it('is down if another protocol answers, the port is closed, or the connection breaks', async () => {
    expect((await check('imap', await script(false, '220 mail.test ESMTP\r\n'))).error).toBe(
      'Expected a response of IMAP, got "220 mail.test ESMTP"',
    );
    expect((await check('pop3', await script(false, '* OK ready\r\n'))).error).toBe(
      'Expected a response of POP3, got "* OK ready"',
    );
    expect(await check('imap', await closedPort())).toMatchObject({ status: 'down', error: 'Connection refused' });
    const closing = await talker((socket) => void socket.end('* O'));
    expect(await check('imap', closing)).toMatchObject({
      error: 'The connection was closed before the server replied',
    });
  });

  it.each([
    ['imap', '* BYE too many connections\r\n', 'The server rejected the connection: too many connections'],
    ['pop3', '-ERR [SYS/TEMP] later\r\n', 'The server rejected the connection: [SYS/TEMP] later'],
    ['pop3', '-ERR\r\n', 'The server rejected the connection: no reason given'],
  ] as const)('is down if %s greets with %j', async (protocol, greeting, error) => {
    expect(await check(protocol, await script(false, greeting))).toMatchObject({ status: 'down', error });
  });

  it.each([
    ['imap', '* OK\r\n', 'a1 BAD what\r\n', 'The server rejected STARTTLS: what'],
    ['imap', '* OK\r\n', '* BYE shutting down\r\n', 'The server rejected STARTTLS: shutting down'],
    ['imap', '* OK\r\n', 'a2 OK not asked\r\n', 'Expected a response of IMAP, got "a2 OK not asked"'],
    ['imap', '* OK\r\n', 'a1 OK go\r\n* 1 EXISTS\r\n', 'The server sent plain text after its reply to STARTTLS'],
    ['pop3', '+OK\r\n', '-ERR what\r\n', 'The server rejected STLS: what'],
    ['pop3', '+OK\r\n', '+OK go\r\n+OK injected\r\n', 'The server sent plain text after its reply to STLS'],
  ] as const)(
    'is down if %s greets with %j and then sends %j to STARTTLS',
    async (protocol, greeting, reply, error) => {
      const port = await script(false, greeting, reply);
      expect(await check(protocol, port, { security: 'starttls' })).toMatchObject({ status: 'down', error });
    },
  );

  it('waits for the response of its own command, after others', async () => {
    const port = await script(true, '* OK\r\n* OK waiting\r\n', '* CAPABILITY IMAP4rev1\r\na1 ', 'OK done\r\n');
    expect(await check('imap', port, { security: 'tls', ...LOGIN, timeoutMs: 300 })).toMatchObject({ status: 'down' });
    const whole = await script(true, '* OK\r\n* OK waiting\r\n', '* CAPABILITY IMAP4rev1\r\na1 OK done\r\n');
    expect(await check('imap', whole, { security: 'tls', ...LOGIN })).toMatchObject({ status: 'up' });
  });

  it('sends text beyond ASCII as a literal, once the server asks for it', async () => {
    let heard = '';
    const port = await talker((socket) => {
      socket.write('* OK\r\n');
      socket.on('data', (data) => {
        heard += data;
        if (heard.endsWith('}\r\n')) socket.write('* OK wait\r\n+ go\r\n');
        else if (!heard.includes('LOGOUT')) socket.write('a1 OK done\r\n');
      });
    }, true);
    const login = { username: 'zoë', password: 'ü "x"' };
    expect(await check('imap', port, { security: 'tls', ...login })).toMatchObject({ status: 'up' });
    expect(heard).toMatch(/^a1 LOGIN \{4\}\r\nzoë \{6\}\r\nü "x"\r\n/);
    for (const reply of ['a1 NO no literals\r\n', 'a1 OK no literals\r\n']) {
      const refusing = await script(true, '* OK\r\n', reply);
      expect(await check('imap', refusing, { security: 'tls', ...login })).toMatchObject({
        error: 'The server rejected LOGIN: no literals',
      });
    }
  });

  it('shows no password that a server repeats in its escaped form', async () => {
    const login = { username: 'kim', password: 'pass "word" \\ of kim' };
    const echo = 'LOGIN "kim" "pass \\"word\\" \\\\ of kim"';
    const port = await script(true, '* OK\r\n', `a1 BAD Unknown: ${echo}\r\n`);
    const seen = await check('imap', port, { security: 'tls', ...login });
    expect(seen.error).toBe(`The server rejected LOGIN: Unknown: ${echo}`);
    const config = definitions.mailbox.schema.parse({ host: 'localhost', port, ...login });
    const plan = { monitor: { id: 'm', teamId: 'team', version: 1 }, target: { type: 'mailbox', config } as const };
    const verdict = { status: seen.status, error: seen.error };
    const { error } = await withoutSecrets(plan, seen, verdict, new AbortController().signal);
    expect(error).toMatch(/^The server rejected LOGIN: Unknown: LOGIN /);
    expect(error).not.toMatch(/pass|word/);
  });

  it('respects its timeout if the server is silent, stops after its greeting, or drips', async () => {
    const limit = { timeoutMs: 200 };
    expect(await check('imap', await talker(() => {}), limit)).toMatchObject({ error: 'No response within 0.2 s' });
    const stuck = await script(false, '+OK\r\n');
    expect(await check('pop3', stuck, { ...limit, security: 'starttls' })).toMatchObject({
      error: 'The response did not end within 0.2 s',
    });
    const dripping = await talker((socket) => {
      const timer = setInterval(() => socket.write('*'), 20);
      socket.once('close', () => clearInterval(timer));
    });
    expect(await check('imap', dripping, limit)).toMatchObject({ status: 'down', outcome: 'failed' });
  });

  it.each(['*', '* 1 EXISTS\r\n'])('ends if the server sends %j without an end', async (text) => {
    const port = await talker((socket) => {
      socket.write('* OK\r\n');
      const many = text.repeat(10_000);
      const write = () => {
        while (!socket.destroyed && socket.write(many));
      };
      socket.on('drain', write);
      write();
    });
    expect((await check('imap', port, { security: 'starttls' })).error).toMatch(/^The server sent more than/);
  });
});

describe('config of a mailbox', () => {
  const issues = (given: object) => {
    const { error } = definitions.mailbox.schema.safeParse({ host: 'a.test', ...given });
    return error?.issues.map(({ path }) => path.join('.')) ?? [];
  };

  it('has the usual port of its protocol and security', () => {
    const target = (given: object) =>
      definitions.mailbox.target(definitions.mailbox.schema.parse({ host: 'a.test', ...given }));
    expect(target({})).toBe('a.test:993');
    expect(target({ security: 'starttls' })).toBe('a.test:143');
    expect(target({ protocol: 'pop3' })).toBe('a.test:995');
    expect(target({ protocol: 'pop3', security: 'none' })).toBe('a.test:110');
    expect(target({ port: 1_993 })).toBe('a.test:1993');
  });

  it('takes a user only with a password, in one line each, and not without TLS', () => {
    expect(issues(USER)).toEqual([]);
    expect(issues({ username: 'kim' })).toEqual(['password']);
    expect(issues({ password: 'x' })).toEqual(['username']);
    expect(issues({ ...USER, security: 'none' })).toEqual(['security']);
    expect(issues({ username: 'a\r\nQUIT', password: 'b\nc' })).toEqual(['username', 'password']);
  });
});
