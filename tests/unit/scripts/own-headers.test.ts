import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { ownHeaders } from '@/scripts/lib/web/own-headers.mjs';

/** The headers that the application receives for a request with these headers over a real loopback socket. */
async function sentHeaders(settings: Parameters<typeof ownHeaders>[0], headers: Record<string, string | string[]>) {
  const give = ownHeaders(settings);
  const server = createServer((incoming, response) => {
    give(incoming, 'the-id');
    response.end(JSON.stringify(incoming.headers));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const sent = request({
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    path: '/a?b',
    headers,
  }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += part;
  return JSON.parse(text) as Record<string, string>;
}

const appUrl = 'https://up.example.com';
const forged = {
  host: 'up.example.com',
  'x-forwarded-for': ['203.0.113.9', '198.51.100.7'],
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'gopher',
  'x-forwarded-port': '1',
  'x-real-ip': '203.0.113.9',
  forwarded: 'for=203.0.113.9;host=evil.example',
  'x-upwatch-address': '203.0.113.9',
  'x-upwatch-found': 'true',
  'x-upwatch-path': '//evil.example',
  'x-request-id': 'chosen',
};

it('neither trusts nor forwards what an untrusted client sends in internal headers', async () => {
  const { connection: _, ...headers } = await sentHeaders({ trustedProxies: [], appUrl }, forged);
  expect(headers).toEqual({
    host: 'up.example.com',
    'x-request-id': 'the-id',
    'x-upwatch-address': '127.0.0.1',
    'x-upwatch-forwarded': 'true',
    'x-upwatch-path': '/a?b',
    'x-forwarded-proto': 'https',
  });
});

it('trusts only the client address of a trusted proxy: the last of several lines', async () => {
  const headers = await sentHeaders({ trustedProxies: ['127.0.0.0/8'], appUrl }, forged);
  expect(headers).toMatchObject({ 'x-upwatch-address': '198.51.100.7', 'x-forwarded-proto': 'https' });
  expect(JSON.stringify(headers)).not.toMatch(/evil|203\.0\.113\.9|gopher/);
});

it('uses the scheme of this server for an origin other than APP_URL', async () => {
  const headers = await sentHeaders({ trustedProxies: [], appUrl }, { host: '127.0.0.1:3000' });
  expect(headers).toMatchObject({ 'x-upwatch-forwarded': 'false', 'x-forwarded-proto': 'http' });
});
