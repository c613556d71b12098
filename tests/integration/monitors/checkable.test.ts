import { beforeAll, describe, expect, it, vi } from 'vitest';

let support: typeof import('@/tests/support/rest');
let token: string;

beforeAll(async () => {
  vi.stubEnv('ALLOW_PRIVATE_TARGETS', 'false');
  vi.resetModules();
  support = await import('@/tests/support/rest');
  token = await support.makeKey(await support.signUp());
});

const auth = { kind: 'oauth2', tokenUrl: 'http://10.0.0.1/', clientId: 'a', clientSecret: 'b' };
const refused: [path: string, type: string, config: Record<string, unknown>][] = [
  ['config.url', 'http', { url: 'http://127.1/' }],
  ['config.url', 'http', { url: 'http://example.test:0/' }],
  ['config.auth.tokenUrl', 'http', { url: 'https://example.test/', auth }],
  ['config.url', 'websocket', { url: 'ws://[::1]/' }],
  ['config.host', 'tcp', { host: 'localhost', port: 80 }],
  ['config.host', 'ping', { host: '...' }],
  ['config.host', 'tls', { host: '::::' }],
  ['config.host', 'grpc', { host: '192.168.0.1', port: 443 }],
  ['config.resolver', 'dns', { host: 'example.test', recordType: 'A', resolver: '127.0.0.1:5353' }],
];

const create = (type: string, config: Record<string, unknown>) =>
  support.rest('POST', '/api/v1/monitors', { token, body: { type, name: 'Inside', config } });

describe('target that no check may connect to', () => {
  it.each(refused)('is rejected at %s of a new %s monitor: %o', async (path, type, config) => {
    const { status, body } = await create(type, config);
    expect([status, body.error?.issues]).toMatchObject([400, [{ path }]]);
  });

  it('is rejected in an update, which leaves the monitor unchanged', async () => {
    const { body } = await create('tcp', { host: 'example.test', port: 80 });
    const path = `/api/v1/monitors/${body.monitor.id}`;
    const change = { config: { host: '127.0.0.1', port: 80 } };
    const { status, body: answer } = await support.rest('PUT', path, { token, body: change });
    expect([status, answer.error.issues]).toMatchObject([400, [{ path: 'config.host' }]]);
    const { body: after } = await support.rest('GET', path, { token });
    expect(after.monitor.config.host).toBe('example.test');
  });

  it('may be queried at a public name server', async () => {
    const { status } = await create('dns', { host: 'localhost', recordType: 'A', resolver: '9.9.9.9' });
    expect(status).toBe(201);
  });
});
