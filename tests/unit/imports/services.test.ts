import { beforeAll, describe, expect, it } from 'vitest';
import type { ImportSource } from '@/server/imports/schema';
import { readImport, tryImport } from '@/tests/support/read-import';

const run = (source: ImportSource, content: unknown) => tryImport(source, JSON.stringify(content));
const read = (source: ImportSource, content: unknown) => readImport(source, JSON.stringify(content));

// The first read loads the schemas of all objects.
beforeAll(async () => void (await run('pingdom', [])), 60_000);

async function only(source: ImportSource, content: unknown) {
  const draft = await read(source, content);
  const [found] = [...draft.monitors, ...draft.leftOut];
  if (!found) throw new Error('Nothing was read.');
  return 'input' in found ? { ...found.input, notes: found.notes } : { reason: found.reason };
}

const url = 'https://northwind.example/';

describe('monitors of Better Stack', () => {
  const one = (attributes: object, type = 'monitor') =>
    only('better-stack', { data: [{ id: '7', type, attributes: { pronounceable_name: 'One', url, ...attributes } }] });

  it.each([
    [
      {
        monitor_type: 'status',
        check_frequency: 30,
        request_timeout: 15,
        verify_ssl: false,
        follow_redirects: false,
        ssl_expiration: 7,
      },
      {
        type: 'http',
        name: 'One',
        intervalSeconds: 30,
        isActive: true,
        config: {
          url,
          expectedStatus: ['200-299'],
          timeoutMs: 15_000,
          verifyTls: false,
          followRedirects: false,
          certificateWarnDays: 7,
        },
      },
    ],
    [
      {
        monitor_type: 'expected_status_code',
        expected_status_codes: [200, 401],
        http_method: 'post',
        request_body: '{}',
        request_headers: [{ id: '1', name: 'Content-Type', value: 'application/json' }],
        auth_username: 'kim',
        auth_password: 's3cret',
        paused_at: '2026-11-01T00:00:00Z',
      },
      {
        isActive: false,
        config: {
          method: 'POST',
          body: '{}',
          headers: { 'Content-Type': 'application/json' },
          auth: { kind: 'basic', username: 'kim', password: 's3cret' },
          expectedStatus: ['200', '401'],
        },
      },
    ],
    [
      { monitor_type: 'keyword_absence', required_keyword: 'Error' },
      {
        config: {
          expectedStatus: ['100-599'],
          assertions: [{ source: 'body', operator: 'notContains', value: 'Error' }],
        },
      },
    ],
    [
      { monitor_type: 'ping', url: '192.0.2.1', request_timeout: 500 },
      { type: 'ping', config: { host: '192.0.2.1', timeoutMs: 600 } },
    ],
    [
      { monitor_type: 'tcp', url: 'db.example', port: '5432', request_timeout: 3_000 },
      { type: 'tcp', config: { port: 5_432, timeoutMs: 3_000 } },
    ],
    [
      { monitor_type: 'smtp', url: 'mail.example', port: '465' },
      { type: 'smtp', config: { security: 'tls' } },
    ],
    [
      { monitor_type: 'smtp', url: 'mail.example', port: '465', verify_ssl: false },
      { type: 'smtp', config: { security: 'tls', verifyTls: false } },
    ],
    [
      { monitor_type: 'imap', url: 'mail.example', port: '993', verify_ssl: false },
      { type: 'mailbox', config: { host: 'mail.example', protocol: 'imap', security: 'tls', verifyTls: false } },
    ],
    [
      { monitor_type: 'pop', url: 'mail.example', port: '110' },
      { type: 'mailbox', config: { protocol: 'pop3', security: 'none', verifyTls: true } },
    ],
    [
      { monitor_type: 'dns', url: '192.0.2.53', request_body: 'a.example' },
      { type: 'dns', config: { host: 'a.example', resolver: '192.0.2.53' } },
    ],
    [{ monitor_type: 'status', regions: ['us', 'eu'] }, { notes: ['Its regions are not carried over.'] }],
    [{ monitor_type: 'status', regions: ['us', 'eu', 'as', 'au'] }, { notes: [] }],
    [
      { monitor_type: 'status', domain_expiration: 14 },
      { notes: ['The expiry of its domain is not checked by this monitor. Create a domain monitor.'] },
    ],
  ])('converts %j', async (attributes, expected) => {
    expect(await one(attributes)).toMatchObject(expected);
  });

  it.each([
    [{ monitor_type: 'smtp', url: 'mail.example', port: '25,465' }, 'several ports'],
    [{ monitor_type: 'tcp', url: 'db.example' }, 'It has no port.'],
    [{ monitor_type: 'playwright' }, 'Checks in a browser'],
    [{ monitor_type: 'keyword' }, 'It has no keyword.'],
    [{ monitor_type: 'toString' }, 'no such monitor type'],
  ])('leaves out %j with the reason', async (attributes, reason) => {
    expect(await one(attributes)).toMatchObject({ reason: expect.stringContaining(reason) });
  });

  it('become heartbeats, and are read of several pages', async () => {
    expect(await one({ name: 'Backup', pronounceable_name: '', period: 3_600, grace: 300 }, 'heartbeat')).toMatchObject(
      {
        type: 'heartbeat',
        name: 'Backup',
        intervalSeconds: 3_600,
        config: { graceSeconds: 300 },
      },
    );
    const page = (id: string) => ({
      data: [{ id, type: 'monitor', attributes: { monitor_type: 'status', url } }],
      pagination: {},
    });
    expect((await read('better-stack', [page('1'), page('2'), page('1')])).leftOut).toMatchObject([
      { reason: 'It is in the file twice.' },
    ]);
  });
});

describe('checks of Pingdom', () => {
  const one = (check: object) =>
    only('pingdom', [{ check: { id: 7, name: 'One', hostname: 'northwind.example', ...check } }]);

  it.each([
    [
      {
        resolution: 1,
        status: 'up',
        tags: [{ name: 'Web' }],
        type: { http: { url: '/shop', encryption: true, port: 443, shouldcontain: 'Buy' } },
      },
      {
        type: 'http',
        intervalSeconds: 60,
        tags: ['web'],
        config: {
          url: 'https://northwind.example/shop',
          timeoutMs: 30_000,
          assertions: [{ source: 'body', operator: 'contains', value: 'Buy' }],
        },
      },
    ],
    [
      {
        status: 'paused',
        verify_certificate: false,
        type: {
          http: {
            url: '/',
            encryption: false,
            port: 8080,
            username: 'kim',
            password: 's3cret',
            postdata: 'a=1',
            requestheaders: { 'X-Pin': '7' },
            shouldnotcontain: 'Error',
          },
        },
      },
      {
        isActive: false,
        config: {
          url: 'http://northwind.example:8080/',
          method: 'POST',
          verifyTls: false,
          headers: { 'X-Pin': '7', 'content-type': 'application/x-www-form-urlencoded' },
          auth: { kind: 'basic', username: 'kim', password: 's3cret' },
          assertions: [{ operator: 'notContains', value: 'Error' }],
        },
      },
    ],
    [
      { type: { tcp: { port: 6379, stringtosend: 'PING', stringtoexpect: 'PONG' } } },
      { type: 'tcp', config: { port: 6_379, send: 'PING', expect: 'PONG' } },
    ],
    [
      { type: { dns: { nameserver: '192.0.2.53', expectedip: '192.0.2.1' } } },
      { type: 'dns', config: { resolver: '192.0.2.53', expect: { match: 'any', values: ['192.0.2.1'] } } },
    ],
    [
      { ipv6: true, type: { http: { url: '/' } } },
      { config: { ipFamily: '6' }, notes: [] },
    ],
    [{ ipv6: true, hostname: '192.0.2.1', type: { http: { url: '/' } } }, { config: { ipFamily: 'auto' } }],
    [{ ipv6: true, type: 'ping' }, { notes: ['Its IP version is not chosen: IPv4 and IPv6 are used.'] }],
    [{ type: 'ping', sendnotificationwhendown: 2, responsetime_threshold: 30_000, probe_filters: [] }, { notes: [] }],
    [
      { type: 'ping', sendnotificationwhendown: 5, responsetime_threshold: 2_000, probe_filters: ['region: EU'] },
      {
        notes: [
          'It alerts after 5 failed checks there. Here, the usual confirmation applies.',
          'Its response time threshold of 2000 ms is not carried over. Add a rule for the latency.',
          'Its regions are not carried over.',
        ],
      },
    ],
    [
      { type: { imap: { port: 143, encryption: true } } },
      { type: 'mailbox', config: { protocol: 'imap', port: 143, security: 'starttls' } },
    ],
    [{ type: { imap: { encryption: false } } }, { type: 'mailbox', config: { protocol: 'imap', security: 'none' } }],
    [
      { type: { imap: { port: 1_993, encryption: true } } },
      { type: 'mailbox', config: { protocol: 'imap', port: 1_993, security: 'tls' } },
    ],
    [{ type: { imap: {} } }, { type: 'mailbox', config: { protocol: 'imap', security: 'tls' } }],
    [
      { type: { pop3: { port: 995, encryption: true } } },
      { type: 'mailbox', config: { protocol: 'pop3', port: 995, security: 'tls' } },
    ],
    [{ type: { smtp: { port: 465, encryption: true } } }, { type: 'smtp', config: { port: 465, security: 'tls' } }],
    [
      { type: 'ping', resolution: 5 },
      { type: 'ping', intervalSeconds: 300 },
    ],
  ])('converts %j', async (check, expected) => {
    expect(await one(check)).toMatchObject(expected);
  });

  it.each([
    [{ type: 'http' }, 'A list of checks lacks its settings.'],
    [{ type: { tcp: {} } }, 'config.port'],
    [{ type: { imap: { port: 143, stringtoexpect: 'ready' } } }, 'An expected text of IMAP'],
    [{ type: { httpcustom: {} } }, 'Custom checks are not supported.'],
    [{ type: {} }, 'no such monitor type'],
  ])('leaves out %j with the reason', async (check, reason) => {
    expect(await one(check)).toMatchObject({ reason: expect.stringContaining(reason) });
  });

  it('are read of a list, as far as it has their settings', async () => {
    const checks = [
      { id: 1, name: 'Gateway', hostname: '192.0.2.1', type: 'ping' },
      { id: 2, name: 'Shop', hostname: 'northwind.example', type: 'http' },
    ];
    const draft = await read('pingdom', { checks, counts: { total: 2 } });
    expect([draft.monitors.map(({ name }) => name), draft.leftOut.map(({ name }) => name)]).toEqual([
      ['Gateway'],
      ['Shop'],
    ]);
  });
});

describe('tests of StatusCake', () => {
  const one = (test: object) =>
    only('statuscake', [{ data: { id: '7', name: 'One', website_url: url, timeout: 20, ...test } }]);

  it.each([
    [
      {
        test_type: 'HTTP',
        check_rate: 60,
        tags: ['Web'],
        status_codes: ['404', '500'],
        find_string: 'Error',
        do_not_find: true,
        custom_header: '{"X-Pin":"7"}',
        user_agent: 'probe',
        follow_redirects: false,
        enable_ssl_alert: true,
      },
      {
        type: 'http',
        intervalSeconds: 60,
        tags: ['web'],
        config: {
          url,
          method: 'GET',
          timeoutMs: 20_000,
          headers: { 'X-Pin': '7', 'user-agent': 'probe' },
          expectedStatus: ['100-403', '405-499', '501-599'],
          followRedirects: false,
          certificateWarnDays: 14,
          assertions: [{ source: 'body', operator: 'notContains', value: 'Error' }],
        },
      },
    ],
    [
      { test_type: 'HEAD', paused: true },
      { isActive: false, config: { method: 'HEAD' } },
    ],
    [{ test_type: 'HTTP', post_raw: 'a=1' }, { config: { method: 'POST', body: 'a=1' } }],
    [{ test_type: 'HTTP', include_header: true, confirmation: 2, trigger_rate: 0, regions: [] }, { notes: [] }],
    [
      { test_type: 'HTTP', confirmation: 3, trigger_rate: 4, regions: ['london'] },
      {
        notes: [
          'Its confirmation by 3 servers is not carried over: the usual confirmation applies.',
          'Its alerts are not delayed by 4 min: the usual confirmation applies.',
          'Its regions are not carried over.',
        ],
      },
    ],
    [
      { test_type: 'TCP', website_url: 'db.example', port: 5432 },
      { type: 'tcp', config: { host: 'db.example', port: 5_432 } },
    ],
    [
      { test_type: 'SSH', website_url: 'box.example' },
      { type: 'ssh', config: { host: 'box.example', port: 22 } },
    ],
    [
      { test_type: 'PING', website_url: '192.0.2.1' },
      { type: 'ping', config: { host: '192.0.2.1' } },
    ],
    [
      { test_type: 'DNS', website_url: 'a.example', dns_ips: ['192.0.2.1'], dns_server: '192.0.2.53' },
      { type: 'dns', config: { recordType: 'A', resolver: '192.0.2.53' } },
    ],
  ])('converts %j', async (test, expected) => {
    expect(await one(test)).toMatchObject(expected);
  });

  it.each([
    [{ test_type: 'HTTP', final_endpoint: 'https://a.example/' }, 'end of redirects'],
    [{ test_type: 'HTTP', post_body: { a: 1 } }, 'A body of fields'],
    [{ test_type: 'HTTP', find_string: 'x', include_header: true }, 'A text in the body or the headers'],
    [{ test_type: 'HTTP', custom_header: '{' }, 'not valid JSON'],
    [{ test_type: 'TCP', website_url: 'db.example' }, 'It has no port.'],
    [{ test_type: 'PUSH' }, 'no such monitor type'],
  ])('leaves out %j with the reason', async (test, reason) => {
    expect(await one(test)).toMatchObject({ reason: expect.stringContaining(reason) });
  });

  it('are read of a list, as far as it has their settings', async () => {
    const data = [
      { id: '3', name: 'Gateway', website_url: '192.0.2.1', test_type: 'PING' },
      { id: '1', name: 'Shop', website_url: url, test_type: 'HTTP', check_rate: 300 },
      { id: '2', name: 'Database', website_url: 'db.example', test_type: 'TCP' },
    ];
    const draft = await read('statuscake', { data, metadata: {} });
    const reason = expect.stringContaining('lacks its settings');
    expect(draft.monitors.map(({ name }) => name)).toEqual(['Gateway']);
    expect(draft.leftOut).toMatchObject([
      { name: 'Shop', reason },
      { name: 'Database', reason },
    ]);
  });
});

describe('checks of Freshping', () => {
  const one = (check: object) => only('freshping', { results: [{ id: 7, name: 'One', url, ...check }] });

  it.each([
    [
      {
        monitoring_interval: 300,
        request_timeout: 30,
        status: 'PS',
        basic_auth_username: 'kim',
        basic_auth_password: 's3cret',
      },
      {
        type: 'http',
        intervalSeconds: 300,
        isActive: false,
        config: { url, timeoutMs: 30_000, auth: { username: 'kim' } },
      },
    ],
    [
      { url: 'tcp://cache.example:6379', command_string: 'PING', success_string: 'PONG' },
      { type: 'tcp', config: { send: 'PING', expect: 'PONG' } },
    ],
    [{ url: 'icmp://192.0.2.1' }, { type: 'ping', config: { host: '192.0.2.1' } }],
  ])('converts %j', async (check, expected) => {
    expect(await one(check)).toMatchObject(expected);
  });

  it.each([
    [{ url: 'udp://a.example:53' }, 'type udp'],
    [{ url: 'tcp://a.example:25', error_string: 'x' }, 'must not contain'],
    [{ url: 'tcp://a.example:25', command_string: 'x' }, 'without an expected answer'],
    [{ success_string: 'x' }, 'Texts of a socket'],
  ])('leaves out %j with the reason', async (check, reason) => {
    expect(await one(check)).toMatchObject({ reason: expect.stringContaining(reason) });
  });
});

const secret = 'https://kim:s3cret@northwind.example/shop?token=s3cret#s3cret';

it.each([
  ['better-stack', { data: [{ id: '7', attributes: { monitor_type: 'status', url: secret } }] }],
  ['better-stack', { data: [{ id: '7', attributes: { monitor_type: 'udp', url: secret } }] }],
  ['statuscake', { data: [{ id: '7', test_type: 'HTTP', website_url: secret, timeout: 20 }] }],
  ['freshping', { results: [{ id: 7, url: secret }] }],
  ['freshping', { results: [{ id: 7, url: secret.replace('https://', '') }] }],
] as const)('names nothing after credentials in a URL of %s: %j', async (source, content) => {
  const draft = await read(source, content);
  expect([...draft.monitors, ...draft.leftOut].map(({ name }) => name)).toEqual(['northwind.example/shop']);
});

it.each([
  ['https://kim:s3cret@north wind.example/shop?token=s3cret', 'north wind.example/shop'],
  ['https://kim:s3?cret@north wind.example/shop', 'Address'],
  ['north wind.example?a=s3cret', 'north wind.example'],
])('leaves out %s without its credentials', async (address, name) => {
  const result = await tryImport('urls', address);
  expect(result).toMatchObject({ draft: { leftOut: [{ name }] } });
  expect(JSON.stringify(result)).not.toMatch(/s3|cret/);
});

it.each(['better-stack', 'pingdom', 'statuscake', 'freshping'] as const)(
  'says what is wrong with a file for %s',
  async (source) => {
    for (const content of [{}, [], { error: 'unauthorized' }, { data: 7 }, 7, null]) {
      expect(await run(source, content)).toEqual({ problem: expect.stringContaining('This file is not a list of') });
    }
  },
);

describe('contents, servers and pages', () => {
  it('are sent as they are written', async () => {
    const type = { tcp: { port: 6379, stringtosend: 'PING\r\n', stringtoexpect: '+PONG' } };
    const check = { id: 1, name: 'Cache', hostname: 'cache.example', type };
    expect(await only('pingdom', { check })).toMatchObject({ type: 'tcp', config: { send: 'PING\r\n' } });
  });

  it.each([
    [465, false, 'tls'],
    [587, true, 'starttls'],
    [25, false, 'none'],
  ])('upgrade SMTP to TLS, except on port 465: %s %s', async (port, encryption, security) => {
    const check = { id: 1, name: 'Mail', hostname: 'mail.example', type: { smtp: { port, encryption } } };
    expect(await only('pingdom', { check })).toMatchObject({ type: 'smtp', config: { port, security } });
  });

  it('do not pose as Pingdom', async () => {
    const requestheaders = { 'User-Agent': 'Pingdom.com_bot_version_1.4', 'X-Team': 'web' };
    const check = { id: 1, name: 'Shop', hostname: 'northwind.example', type: { http: { requestheaders, url: '/' } } };
    expect(await only('pingdom', { check })).toHaveProperty('config.headers', { 'X-Team': 'web' });
  });

  it('have the credentials of their addresses', async () => {
    const attributes = { pronounceable_name: 'One', monitor_type: 'status', url: 'https://kim:secret@a.example/' };
    expect(await only('better-stack', { data: [{ id: '1', type: 'monitor', attributes }] })).toMatchObject({
      config: { url: 'https://a.example/', auth: { kind: 'basic', username: 'kim', password: 'secret' } },
    });
  });

  it('say that the file has errors, and not the last page', async () => {
    const data = [{ id: '1', type: 'monitor', attributes: { monitor_type: 'status', url } }];
    const { notes } = await read('better-stack', [
      { errors: 'Too many requests' },
      { data, pagination: { next: 'https://api.example/monitors?page=3' } },
    ]);
    expect(notes).toEqual(
      expect.arrayContaining([
        'Answers in the file that are something else, such as errors: 1.',
        'The file ends before the last page. Save and import the next pages, too.',
      ]),
    );
  });
});
