import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { evaluate, rulesOf } from '@/server/monitor-types/evaluate';
import { observe } from '@/server/monitor-types/probes';
import { definitions } from '@/server/monitor-types/schema';
import { asTeam, closedPort, tcpTarget } from '@/tests/integration/checks/targets';
import { trustedCertificate } from '@/tests/support/certificates';
import { hasProgram, type Program, startProgram } from '@/tests/support/servers/program';

const open: (() => Promise<unknown> | unknown)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

const text = (value: string) =>
  Buffer.concat([Buffer.from([value.length >> 8, value.length & 255]), Buffer.from(value)]);
const packet = (kind: number, ...parts: Buffer[]) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([kind, body.length]), body]);
};
const CONNACK = packet(0x20, Buffer.from([0, 0]));
const SUBACK = packet(0x90, Buffer.from([0, 1, 0]));
const publish = (topic: string, payload: string, flags = 0) => packet(0x30 | flags, text(topic), Buffer.from(payload));

/** Publishes to a broker without login until the test ends; a retained message once. */
async function publisher(port: number, topic: string, payload: string, retain = false): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(packet(0x10, text('MQTT'), Buffer.from([4, 2, 0, 60]), text(`test${Math.random()}`)));
  await once(socket, 'data');
  const send = () => socket.write(publish(topic, payload, retain ? 1 : 0));
  send();
  const timer = retain ? undefined : setInterval(send, 50);
  open.push(() => {
    clearInterval(timer);
    socket.destroy();
  });
  if (retain) await new Promise((resolve) => setTimeout(resolve, 50));
}

async function check(port: number, changes: Record<string, unknown> = {}) {
  const config = definitions.mqtt.schema.parse({
    host: 'localhost',
    port,
    topic: 'plant/+/status',
    timeoutMs: 3_000,
    ...changes,
  });
  const target = { type: 'mqtt', config } as const;
  const seen = await observe(target, asTeam());
  return { ...seen, ...evaluate(target, seen, new Date()), rules: rulesOf(target, seen, new Date()) };
}

describe.skipIf(!hasProgram('mosquitto'))('mqtt probe with a real broker (needs mosquitto)', () => {
  let plain: Program;
  let guarded: Program;
  let secured: Program;
  const broker = (lines: string[], files: Record<string, string> = {}) =>
    startProgram('mosquitto', (port, folder) => configured(port, folder, lines), files);

  beforeAll(async () => {
    const anonymous = ['allow_anonymous true'];
    plain = await broker(anonymous);
    guarded = await broker(['allow_anonymous false', 'password_file passwords']);
    secured = await broker([...anonymous, 'certfile tls.crt', 'keyfile tls.key'], {
      'tls.crt': trustedCertificate.cert,
      'tls.key': trustedCertificate.key,
    });
  });
  afterAll(() => Promise.all([plain, guarded, secured].map((each) => each?.stop())));

  it('is up if a message of the topic arrives, and measures the time until the subscription', async () => {
    await publisher(plain.port, 'plant/one/status', 'fine');
    const seen = await check(plain.port);
    expect(seen).toMatchObject({ status: 'up', evidence: { topic: 'plant/one/status', payload: 'fine' }, rules: [] });
    expect(seen.trace.exchanges).toMatchObject([{ line: 'SUBSCRIBE plant/+/status', body: ['fine'] }]);
  });

  it('is down without a message in time, and with a retained one that does not count', async () => {
    const limit = { timeoutMs: 500, topic: 'plant/two/status' };
    expect(await check(plain.port, limit)).toMatchObject({
      status: 'down',
      error: 'No message of the topic within 0.5 s',
    });
    await publisher(plain.port, 'plant/two/status', 'kept', true);
    expect(await check(plain.port, limit)).toMatchObject({ status: 'up', evidence: { payload: 'kept' } });
    expect(await check(plain.port, { ...limit, retained: false })).toMatchObject({ status: 'down' });
  });

  it('authenticates with a username and a password', async () => {
    const login = { username: 'probe', password: 'probe-password', timeoutMs: 500 };
    const seen = await check(guarded.port, login);
    expect(seen.error).toBe('No message of the topic within 0.5 s');
    expect(JSON.stringify(seen)).not.toContain('probe-password');
    expect((await check(guarded.port, { ...login, password: 'wrong' })).error).toMatch(
      /^The server rejected the login/,
    );
    expect((await check(guarded.port)).error).toMatch(/^The server rejected the login/);
  });

  it('connects over TLS, and verifies the certificate', async () => {
    const limit = { timeoutMs: 700 };
    const seen = await check(secured.port, { tls: true, ...limit });
    expect(seen).toMatchObject({
      error: 'No message of the topic within 0.7 s',
      certificate: { subject: 'localhost' },
    });
    expect(await check(plain.port, { tls: true, ...limit })).toMatchObject({ status: 'down', certificate: null });
  });
});

/** The arguments for a broker with these lines: its passwords are hashed first, and its settings written. */
function configured(port: number, folder: string, lines: string[]): string[] {
  const file = join(folder, 'mosquitto.conf');
  const settings = [`listener ${port} 127.0.0.1`, 'user root', 'persistence false', ...lines].join('\n');
  writeFileSync(file, `${settings}\n`);
  execFileSync('mosquitto_passwd', ['-b', '-c', join(folder, 'passwords'), 'probe', 'probe-password']);
  return ['-c', file];
}

async function talker(greet: (socket: Socket) => void): Promise<number> {
  const target = await tcpTarget(greet);
  open.push(() => target.close());
  return target.port;
}

/** A server that answers each data with the next of these. */
function script(...replies: Buffer[]): Promise<number> {
  return talker((socket) => {
    socket.on('data', () => {
      const reply = replies.shift();
      if (reply) socket.write(reply);
    });
  });
}

const sending = (message: Buffer) => script(CONNACK, Buffer.concat([SUBACK, message]));

describe('mqtt probe', () => {
  it('applies the rules to the payload of the first message', async () => {
    const json = publish('plant/one/status', '{"state":"ok","parts":[{"n":2}]}');
    expect(await check(await sending(json), { expect: '"ok"' })).toMatchObject({
      status: 'up',
      rules: [{ isMet: true }],
    });
    expect((await check(await sending(json), { expect: 'fine' })).error).toMatch(
      /^Expected a message with "fine", got "\{/,
    );
    const hidden = await check(await sending(json), { expect: 'fine', saveResponseBody: false });
    expect(hidden.error).toBe('Expected a message with "fine", got a value that is not saved');
    const path = { jsonPath: '$.parts[0].n' };
    expect(await check(await sending(json), { ...path, expectedValue: '2' })).toMatchObject({ status: 'up' });
    expect((await check(await sending(json), { ...path, expectedValue: '3' })).error).toBe(
      'Expected $.parts[0].n to be "3", got 2',
    );
    const words = publish('plant/one/status', 'ok');
    expect((await check(await sending(words), { ...path, expectedValue: '3' })).error).toBe('The message is not JSON');
  });

  it('reads messages with a quality of service, in parts, and before the subscription is confirmed', async () => {
    const first = packet(0x32, text('plant/one/status'), Buffer.from([0, 7]), Buffer.from('first'));
    const early = await script(CONNACK, Buffer.concat([first, SUBACK]));
    expect(await check(early)).toMatchObject({ status: 'up', evidence: { payload: 'first' } });
    const parts = await talker((socket) => {
      socket.once('data', () => {
        socket.write(CONNACK);
        socket.once('data', () => {
          const all = Buffer.concat([SUBACK, publish('plant/one/status', 'slow')]);
          for (const [index, byte] of [...all].entries())
            setTimeout(() => socket.write(Buffer.from([byte])), index * 5);
        });
      });
    });
    expect(await check(parts)).toMatchObject({ status: 'up', evidence: { payload: 'slow' } });
  });

  it('is down if the server refuses, another protocol answers, the port is closed, or the connection breaks', async () => {
    expect((await check(await script(packet(0x20, Buffer.from([0, 5]))))).error).toMatch(/not authorized/);
    const refused = await script(CONNACK, packet(0x90, Buffer.from([0, 1, 128])));
    expect((await check(refused)).error).toBe('The server rejected the subscription to the topic');
    const http = await script(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect(await check(http, { timeoutMs: 500 })).toMatchObject({ status: 'down', outcome: 'failed' });
    expect(await check(await closedPort())).toMatchObject({ error: 'Connection refused' });
    const closing = await talker((socket) => void socket.once('data', () => socket.end(Buffer.from([0x20]))));
    expect((await check(closing)).error).toBe('The connection was closed before the server replied');
    expect((await check(await script(), { timeoutMs: 200 })).error).toBe('No response within 0.2 s');
  });

  it.each([
    ['a huge packet', Buffer.from([0x30, 255, 255, 255, 127]), 'more than 64 KiB'],
    ['a length without an end', Buffer.from([0x30, 255, 255, 255, 255, 255]), 'does not allow'],
    ['a topic beyond its packet', Buffer.from([0x30, 2, 0, 9]), 'does not allow'],
    ['packets of another kind', Buffer.from([0xd0, 0]), 'does not allow'],
    ['endless retained messages', publish('a', 'b', 1), 'more than 1000 packets'],
  ])('ends if the server sends %s', async (_name, bytes, error) => {
    const port = await sending(Buffer.concat(Array<Buffer>(2_000).fill(bytes)));
    const seen = await check(port, { timeoutMs: 1_000, retained: false });
    expect(seen).toMatchObject({ status: 'down', outcome: 'failed' });
    expect(seen.error).toContain(error);
  });
});
