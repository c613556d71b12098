import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Product, startProduct } from '@/tests/support/product';

const PROXY = '127.0.0.1';
/** Another address of this machine, which is not a trusted proxy. Linux has all of 127.0.0.0/8. */
const STRANGER = '127.0.0.2';
const person = { email: 'robin@example.test', password: 'a long enough password' };

let product: Product;

beforeAll(async () => {
  const env = { TRUSTED_PROXIES: `${PROXY}, 2001:db8::/32`, APP_URL: 'https://up.example.com' };
  product = await startProduct({ env: { ...env, AUTH_RATE_LIMIT_PER_MINUTE: '3' } });
});

afterAll(async () => {
  await product?.stop();
});

async function send(from: string, path: string, headers: Record<string, string> = {}, body?: object | URLSearchParams) {
  const { hostname, port } = new URL(product.url);
  const type = body instanceof URLSearchParams ? 'application/x-www-form-urlencoded' : 'application/json';
  const sent = request({
    hostname,
    port,
    path,
    localAddress: from,
    method: body ? 'POST' : 'GET',
    headers: { host: 'up.example.com', ...(body && { 'content-type': type }), ...headers },
  });
  sent.end(body instanceof URLSearchParams ? body.toString() : body && JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += part;
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}

const logIn = (from: string, forwardedFor: string) =>
  send(from, '/auth/login', { 'x-forwarded-for': forwardedFor }, { ...person, password: 'not the right one' });

async function statuses(from: string, forwardedFor: string[]): Promise<number[]> {
  const seen: number[] = [];
  for (const hops of forwardedFor) seen.push((await logIn(from, hops)).status);
  return seen;
}

test('limits callers behind the proxy separately, whatever headers they forge', async () => {
  const forged = [
    '198.51.100.7',
    '203.0.113.1, 198.51.100.7',
    '203.0.113.2, 198.51.100.7',
    '203.0.113.3, 198.51.100.7',
  ];
  expect(await statuses(PROXY, forged)).toEqual([401, 401, 401, 429]);
  // The same caller through a second proxy, and another caller.
  expect(await statuses(PROXY, ['198.51.100.7, 2001:db8::5', '198.51.100.8'])).toEqual([429, 401]);
});

test.runIf(process.platform === 'linux')('counts direct callers by their own address', async () => {
  const names = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'];
  expect(await statuses(STRANGER, names)).toEqual([401, 401, 401, 429]);
});

test('records the client address behind the proxy in the audit log', async () => {
  const from = { 'x-forwarded-for': '203.0.113.50, 198.51.100.99:4711' };
  const signedUp = await send(PROXY, '/auth/signup', from, person);
  const { accessToken } = JSON.parse(signedUp.text);
  const { text } = await send(PROXY, '/dashboard/audit-log', { ...from, authorization: `Bearer ${accessToken}` });
  const addresses = JSON.parse(text).entries.map(({ address }: { address: string }) => address);
  expect(addresses.length).toBeGreaterThan(0);
  expect(new Set(addresses)).toEqual(new Set(['198.51.100.99']));
});

test('builds links from APP_URL, whatever host and scheme a proxy or a caller sends', async () => {
  const forged = {
    'x-forwarded-for': '198.51.100.77',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'http',
    forwarded: 'host=evil.example;proto=http',
  };
  for (const path of ['/api/auth/providers', '/api/auth/signin', '/dashboard', '/', '/api/v1/openapi.json']) {
    const { status, headers, text } = await send(PROXY, path, forged);
    expect(status, path).toBeLessThan(400);
    expect(`${headers.location} ${text}`, path).not.toMatch(/evil\.example|http:\/\/up\.example/);
  }
  const { text } = await send(PROXY, '/api/auth/providers', forged);
  expect(JSON.parse(text).credentials.callbackUrl).toBe('https://up.example.com/api/auth/callback/credentials');
});

test('rejects metrics requests without a token behind a proxy', async () => {
  for (const headers of [{}, { 'x-forwarded-for': '127.0.0.1' }, { 'x-upwatch-forwarded': 'false' }]) {
    const { status, text } = await send(PROXY, '/api/metrics', headers);
    expect([status, text]).toEqual([403, expect.stringContaining('METRICS_TOKEN')]);
  }
});

test.each([
  ['a page', '/login', 200],
  ['a redirect', '/dashboard', 307],
  ['REST', '/api/v1/monitors', 401],
  ['a refused path', '/api/v1//monitors', 404],
  ['a heartbeat address', '/api/heartbeat/none', 404],
  ['a file', '/icon.svg', 200],
])('sends Strict-Transport-Security on %s', async (_name, path, status) => {
  const answer = await send(PROXY, path);
  expect([answer.status, answer.headers['strict-transport-security']]).toEqual([status, 'max-age=31536000']);
});

test('sends Strict-Transport-Security on a request that Node cannot parse', async () => {
  const { hostname, port } = new URL(product.url);
  const socket = connect(Number(port), hostname);
  socket.end('GET / HTTP/1.1\r\nhost: up.example.com\r\nbad header\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 .*\r\n(.+\r\n)*strict-transport-security: max-age=31536000\r\n/);
});
