import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type CheckedConfig, definitions } from '@/server/monitor-types/schema';
import { asTeam, httpTarget, type Target, tcpTarget } from './targets';

const hosts = ['127.0.0.1', '10.0.0.1', '169.254.169.254', 'localhost'];

let target: Target;
let registries: Target;
let touched: Socket[] = [];
let protocols: typeof import('@/server/monitor-types/probes');

beforeAll(async () => {
  target = await tcpTarget((socket) => touched.push(socket));
  vi.stubEnv('ALLOW_PRIVATE_TARGETS', 'false');
  registries = await httpTarget((_request, response) => {
    const services = hosts.map((host, index) => [[`host${index}`], [`http://${host}:${target.port}/`]]);
    response.end(JSON.stringify({ services }));
  });
  vi.stubEnv('RDAP_BOOTSTRAP_URL', `http://127.0.0.1:${registries.port}/`);
  vi.resetModules();
  protocols = await import('@/server/monitor-types/probes');
});

afterAll(async () => {
  touched = [];
  await Promise.all([target.close(), registries.close()]);
});

type CheckedType = CheckedConfig['type'];

/** The config of each type for a host and a port. A new type without a line here does not compile. */
const aimed: Record<CheckedType, (host: string, port: number) => Record<string, unknown>> = {
  http: (host, port) => ({ url: `http://${host}:${port}/` }),
  tcp: (host, port) => ({ host, port }),
  ping: (host) => ({ host }),
  dns: (host, port) => ({ host: 'example.test', recordType: 'A', resolver: `${host}:${port}` }),
  tls: (host, port) => ({ host, port }),
  // The list of registries names the host for it.
  domain: (host) => ({ domain: `northwind.host${hosts.indexOf(host)}` }),
  websocket: (host, port) => ({ url: `ws://${host}:${port}/` }),
  grpc: (host, port) => ({ host, port }),
  smtp: (host, port) => ({ host, port }),
  redis: (host, port) => ({ host, port }),
  postgresql: (host, port) => ({ host, port, username: 'probe' }),
  mysql: (host, port) => ({ host, port, username: 'probe' }),
  mqtt: (host, port) => ({ host, port, topic: 'a/b' }),
  ssh: (host, port) => ({ host, port }),
  mailbox: (host, port) => ({ host, port }),
  multistep: (host, port) => ({ steps: [{ name: 'One', url: `http://${host}:${port}/` }] }),
};

const cases = (Object.keys(aimed) as CheckedType[]).flatMap((type) =>
  hosts.filter((host) => type !== 'dns' || host !== 'localhost').map((host) => [type, host] as const),
);

describe('checks without ALLOW_PRIVATE_TARGETS', () => {
  it.each(cases)('reject from %s the target %s', async (type, host) => {
    const config = definitions[type].schema.parse({ ...aimed[type](host, target.port), timeoutMs: 1_000 });
    const seen = await protocols.observe({ type, config } as CheckedConfig, asTeam());
    expect(seen).toMatchObject({ outcome: 'unknown', error: expect.stringContaining('private or reserved') });
    expect(touched).toEqual([]);
  });

  it.each([
    ['an invalid host', 'tcp', { host: '...', port: 80 }, 'not a valid host name'],
    ['port 0', 'http', { url: 'http://example.test:0/' }, 'from 1 to 65535'],
  ] as const)('reveal nothing about the target: %s', async (_name, type, given, error) => {
    const config = definitions[type].schema.parse({ ...given, timeoutMs: 1_000 });
    const seen = await protocols.observe({ type, config } as CheckedConfig, asTeam());
    expect(seen).toMatchObject({ outcome: 'unknown', error: expect.stringContaining(error) });
  });
});
