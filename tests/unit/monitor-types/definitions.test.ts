import { describe, expect, it } from 'vitest';
import { monitorTypes, passiveTypes } from '@/server/monitor-types/definitions';
import { definitionOf, definitions, isPassive, type MonitorType } from '@/server/monitor-types/schema';

/** A config of each type, with its target and its request as shown on pages. */
const cases: Record<MonitorType, [config: object, target: string, request: string]> = {
  http: [{ url: 'https://a.test/x?y=1', method: 'HEAD' }, 'a.test/x', 'HEAD https://a.test/x?y=1'],
  tcp: [{ host: '2001:db8::1', port: 25, tls: true }, '[2001:db8::1]:25', 'tls [2001:db8::1]:25'],
  ping: [{ host: 'a.test' }, 'a.test', 'ping a.test'],
  dns: [{ host: 'a.test', recordType: 'MX', resolver: '192.0.2.1' }, 'a.test MX', 'MX a.test @192.0.2.1'],
  tls: [{ host: 'a.test', serverName: 'b.test' }, 'a.test:443', 'tls a.test:443 (b.test)'],
  domain: [{ domain: 'A.test' }, 'a.test', 'rdap a.test'],
  websocket: [{ url: 'wss://a.test/' }, 'a.test', 'wss://a.test/'],
  grpc: [{ host: 'a.test', port: 50051, service: 'shop.Cart' }, 'a.test:50051', 'grpc a.test:50051 shop.Cart'],
  smtp: [{ host: 'a.test', security: 'starttls' }, 'a.test:25', 'smtp a.test:25 (starttls)'],
  redis: [{ host: 'a.test', tls: true }, 'a.test:6379', 'redis a.test:6379 (tls)'],
  postgresql: [{ host: 'a.test', username: 'probe' }, 'a.test:5432', 'postgresql a.test:5432/probe'],
  mysql: [{ host: 'a.test', username: 'probe', database: 'shop' }, 'a.test:3306', 'mysql a.test:3306/shop'],
  mqtt: [{ host: 'a.test', topic: 'a/#' }, 'a.test:1883 a/#', 'mqtt a.test:1883 a/#'],
  ssh: [{ host: '2001:db8::1' }, '[2001:db8::1]:22', 'ssh [2001:db8::1]:22'],
  mailbox: [{ host: 'a.test', protocol: 'pop3', security: 'starttls' }, 'a.test:110', 'pop3 a.test:110 (starttls)'],
  multistep: [
    {
      steps: [
        { name: 'Log in', method: 'POST', url: 'https://a.test/login/{{shop}}?x=1' },
        { name: 'Cart', url: 'https://b.test/cart' },
      ],
      variables: { shop: 'northwind' },
    },
    'a.test/login/{{shop}}',
    'POST https://a.test/login/{{shop}}?x=1, then 1 more step',
  ],
  heartbeat: [{ cron: '0 3 * * *' }, 'pings at 0 3 * * * UTC', 'heartbeat 0 3 * * * UTC'],
};

describe.each(monitorTypes)('definition of %s', (type) => {
  const [given, target, request] = cases[type];
  const config = definitions[type].schema.parse(given);

  it('describes its target and its request', () => {
    expect(definitionOf(type).target(config)).toBe(target);
    expect(definitionOf(type).request(config)).toBe(request);
  });

  it('links endpoints to fields of its config', () => {
    const { endpoints, lookups = () => [] } = definitionOf(type);
    const fields = [...endpoints(config), ...lookups(config)].map(([field]) => field);
    // Registries are of the instance's own choice.
    expect(fields.length > 0).toBe(!isPassive(type) && type !== 'domain');
    for (const field of fields) expect(config).toHaveProperty(field);
  });
});

it('marks heartbeat as the one type that waits for pings', () => {
  expect(passiveTypes).toEqual(['heartbeat']);
  expect(monitorTypes.filter((type) => definitionOf(type).schedule !== undefined)).toEqual(passiveTypes);
});
