import { beforeAll, describe, expect, it } from 'vitest';
import { readImport, tryImport } from '@/tests/support/read-import';

const run = (text: string) => tryImport('blackbox', text);
const read = (text: string) => readImport('blackbox', text);

// The first read loads the schemas of all objects.
beforeAll(async () => void (await run('')), 60_000);

const COPY = '{ source_labels: [__address__], target_label: __param_target }';

/** A job with a module and a target. Modules are written as flow mappings. */
const file = (module: string, target: string, job = '') => `
global: { scrape_interval: 30s }
scrape_configs:
  - job_name: probes
    metrics_path: /probe
    ${job || `params: { module: [tested] }\n    relabel_configs: [${COPY}]`}
    static_configs: [{ targets: [${JSON.stringify(target)}], labels: { probe: tested } }]
modules:
  tested: ${module}
`;

const one = async (module: string, target: string, job?: string) => {
  const draft = await read(file(module, target, job));
  return draft.monitors[0] ?? draft.leftOut[0];
};

const url = 'https://northwind.example/';
const PEM = String.raw`-----BEGIN CERTIFICATE-----\nTUlJ\n-----END CERTIFICATE-----`;
const KEY = String.raw`-----BEGIN PRIVATE KEY-----\nTUlJ\n-----END PRIVATE KEY-----`;

describe('probes of the blackbox exporter', () => {
  it.each([
    ['{ prober: http }', url, { type: 'http', config: { url, expectedStatus: ['200-299'], timeoutMs: 10_000 } }],
    ['{ prober: http }', 'northwind.example', { config: { url: 'http://northwind.example' } }],
    [
      '{ prober: http, timeout: 5s, http: { valid_status_codes: [200, 301], method: post, headers: { X-Pin: 007 }, body: "{}", no_follow_redirects: true, tls_config: { insecure_skip_verify: true } } }',
      url,
      {
        config: {
          method: 'POST',
          headers: { 'X-Pin': '007' },
          body: '{}',
          expectedStatus: ['200', '301'],
          followRedirects: false,
          verifyTls: false,
          timeoutMs: 5_000,
        },
      },
    ],
    [
      '{ prober: http, http: { basic_auth: { username: kim, password: 0123 }, preferred_ip_protocol: ip4, ip_protocol_fallback: false } }',
      url,
      { config: { auth: { kind: 'basic', username: 'kim', password: '0123' }, ipFamily: '4' } },
    ],
    [
      `{ prober: http, http: { tls_config: { ca: "${PEM}", cert: "${PEM}", key: "${KEY}" } } }`,
      url,
      { config: { caCertificate: PEM.replaceAll('\\n', '\n'), clientKey: KEY.replaceAll('\\n', '\n') } },
    ],
    [
      `{ prober: tcp, tcp: { tls: true, tls_config: { ca: "${PEM}" } } }`,
      'a.example:1',
      { type: 'tcp', config: { tls: true, caCertificate: PEM.replaceAll('\\n', '\n') } },
    ],
    [
      '{ prober: grpc, grpc: { tls: true, tls_config: { insecure_skip_verify: true } } }',
      'a.example:1',
      { type: 'grpc', config: { tls: true, verifyTls: false } },
    ],
    [
      '{ prober: http, http: { fail_if_body_matches_regexp: ["a.c"] } }',
      url,
      { config: { assertions: [{ source: 'body', operator: 'notMatches', value: 'a.c' }] } },
    ],
    ['{ prober: http, http: { bearer_token: t0ken } }', url, { config: { auth: { kind: 'bearer', token: 't0ken' } } }],
    [
      '{ prober: http, http: { oauth2: { client_id: a, client_secret: b, token_url: "https://id.example/", scopes: [x, y] } } }',
      url,
      { config: { auth: { kind: 'oauth2', clientId: 'a', scope: 'x y' } } },
    ],
    [
      `{ prober: http, http: { fail_if_body_matches_regexp: ["Could not connect"], fail_if_body_not_matches_regexp: ["v[0-9]+"],
         fail_if_header_matches: [{ header: Set-Cookie, allow_missing: true, regexp: '.*' }, { header: Server, regexp: "old\\\\.1" }],
         fail_if_header_not_matches: [{ header: Access-Control-Allow-Origin, regexp: '(\\*|example\\.com)' }] } }`,
      url,
      {
        config: {
          assertions: [
            { source: 'body', operator: 'notContains', value: 'Could not connect' },
            { source: 'body', operator: 'matches', value: 'v[0-9]+' },
            { source: 'header', property: 'Set-Cookie', operator: 'notExists' },
            { source: 'header', property: 'Server', operator: 'notContains', value: 'old.1' },
            {
              source: 'header',
              property: 'Access-Control-Allow-Origin',
              operator: 'matches',
              value: '(\\*|example\\.com)',
            },
          ],
        },
      },
    ],
    [
      '{ prober: tcp, tcp: { tls: true } }',
      'db.example:5432',
      { type: 'tcp', config: { host: 'db.example', port: 5432, tls: true } },
    ],
    [
      '{ prober: tcp, tcp: { query_response: [{ expect: "^SSH-2.0-" }, { send: "SSH-2.0-blackbox-ssh-check" }] } }',
      'box.example:22',
      { config: { expect: 'SSH-2.0-' }, notes: ['Nothing is sent after the answer.'] },
    ],
    [
      '{ prober: tcp, tcp: { query_response: [{ send: "PING \\r" }, { expect: "PONG " }] } }',
      'a.example:6379',
      { config: { send: 'PING \r\n', expect: 'PONG ' } },
    ],
    [
      '{ prober: tcp, tcp: { query_response: [{ send: PING }, { expect: PONG }] } }',
      'cache.example:6379',
      { config: { send: 'PING\n', expect: 'PONG' } },
    ],
    ['{ prober: icmp }', '192.0.2.1', { type: 'ping', config: { host: '192.0.2.1', packetCount: 1 } }],
    [
      '{ prober: dns, dns: { query_name: northwind.example., query_type: MX, valid_rcodes: [NOERROR] } }',
      '192.0.2.53:53',
      { type: 'dns', config: { host: 'northwind.example', recordType: 'MX', resolver: '192.0.2.53:53' } },
    ],
    [
      '{ prober: dns, dns: { query_name: northwind.example, query_type: A } }',
      '2001:db8::1:53',
      { config: { resolver: '2001:db8::1:53' } },
    ],
    ['{ prober: http }', 'kim:s3cret@northwind.example/x?token=s3cret', { name: 'northwind.example/x' }],
    [
      '{ prober: grpc, grpc: { service: shop, tls: true } }',
      'api.example:443',
      { type: 'grpc', config: { host: 'api.example', port: 443, service: 'shop', tls: true } },
    ],
  ])('converts %s', async (module, target, expected) => {
    const found = await one(module, target);
    if (!found || !('input' in found)) throw new Error(`Left out: ${found?.reason}`);
    expect({ ...found.input, notes: found.notes }).toMatchObject({ intervalSeconds: 30, ...expected });
  });

  it.each([
    ['{ prober: http, http: { proxy_url: "http://127.0.0.1:3128" } }', url, 'The setting proxy_url is not supported.'],
    ['{ prober: http, http: { tls_config: { ca_file: /certs/ca.crt } } }', url, 'The setting ca_file'],
    ['{ prober: http, http: { fail_if_ssl: true } }', url, 'The setting fail_if_ssl'],
    [
      '{ prober: http, http: { basic_auth: { username: a, password_file: /run/p } } }',
      url,
      'The setting password_file',
    ],
    ['{ prober: http, http: { compression: gzip } }', url, 'The setting compression'],
    ['{ prober: http, http: { valid_http_versions: ["HTTP/2.0"] } }', url, 'HTTP version'],
    ['{ prober: tcp, tcp: { tls: true, tls_config: { server_name: a } } }', 'a.example:1', 'The setting server_name'],
    ['{ prober: grpc, grpc: { tls: true, tls_config: { key: a } } }', 'a.example:1', 'The setting key'],
    ['{ prober: tcp, tcp: { query_response: [{ expect: "^220" }, { starttls: true }] } }', 'a.example:25', 'starttls'],
    ['{ prober: tcp, tcp: { query_response: [{ expect: "PING :([^ ]+)" }] } }', 'a.example:6667', 'is not plain text'],
    [
      '{ prober: tcp, tcp: { query_response: [{ send: a }, { send: b }, { expect: c }] } }',
      'a.example:1',
      'several messages',
    ],
    ['{ prober: tcp }', 'db.example', 'Its target has no port.'],
    ['{ prober: icmp, icmp: { ttl: 5 } }', '192.0.2.1', 'The setting ttl'],
    [
      '{ prober: dns, dns: { query_name: a.example, query_type: A, transport_protocol: tcp } }',
      '192.0.2.1',
      'DNS over TCP',
    ],
    ['{ prober: dns, dns: { query_name: a.example } }', '192.0.2.1', 'A query of the type ANY is not supported.'],
    [
      '{ prober: dns, dns: { query_name: a.example, query_type: A, validate_answer_rrs: { fail_if_matches_regexp: [a] } } }',
      '192.0.2.1',
      'validate_answer_rrs',
    ],
    ['{ prober: constructor }', url, 'The prober constructor is unknown.'],
  ])('leaves out %s with the reason', async (module, target, reason) => {
    expect(await one(module, target)).toMatchObject({ reason: expect.stringContaining(reason) });
  });

  const target = (rules: string, params = 'module: [tested]') =>
    `params: { ${params} }\n    relabel_configs: [${rules}]`;
  const module = (rule: string) => target(`${COPY}, { target_label: __param_module, ${rule} }`, 'module: [other]');
  const exporter = '{ target_label: __address__, replacement: "exporter:9115" }';

  it.each([
    [target(`${COPY}, ${exporter}`), url],
    [target(exporter, 'module: [tested], target: ["https://a.example/", "https://b.example/"]'), 'https://a.example/'],
    [target(COPY, 'module: [tested, other], target: ["https://a.example/"]'), url],
    [module('source_labels: [probe]'), url],
    [module("source_labels: [probe], regex: '(.*)', replacement: $1"), url],
    [module('replacement: tested'), url],
    [target(`${COPY}, { source_labels: [none], target_label: __param_module }`), url],
  ])('probes what relabeling and parameters name: %s', async (job, expected) => {
    const draft = await read(file('{ prober: http }', url, job));
    expect(draft).toMatchObject({ leftOut: [], monitors: [{ input: { type: 'http', config: { url: expected } } }] });
  });

  it.each([
    [target(COPY.replace('}', ', replacement: "https://$1" }')), 'changes the targets'],
    [target(COPY.replace('}', ", regex: '.*' }")), 'changes the targets'],
    [target(COPY.replace('}', ', action: lowercase }')), 'changes the targets'],
    [target('{ source_labels: [a, __address__], target_label: __param_target }'), 'changes the targets'],
    [target('{ source_labels: [env], action: keep, regex: prod }'), 'selects targets'],
    [target(exporter), 'It passes no target to the exporter.'],
    [module("source_labels: [probe], regex: '(.*)-x'"), 'computes the module'],
    [module('source_labels: [probe], action: lowercase'), 'computes the module'],
    [module('source_labels: [probe, env]'), 'computes the module'],
    [target(COPY, 'module: [tested], hostname: [a.example]'), 'The parameter hostname is not supported.'],
    [target(`${COPY}, `.repeat(101)), 'more than 100 relabeling rules'],
  ])('leaves out targets that relabeling changes: %.90s', async (job, reason) => {
    expect(await one('{ prober: http }', url, job)).toMatchObject({ reason: expect.stringContaining(reason) });
  });
});

it('reads a target from its label', async () => {
  const draft = await read(`
scrape_configs:
  - params: { module: [tested], target: [a.example] }
    static_configs: [{ targets: [exporter:9115], labels: { __param_target: b.example } }]
modules: { tested: { prober: icmp } }
`);
  expect(draft.monitors.map(({ name, input }) => [name, input.config])).toMatchObject([
    ['b.example', { host: 'b.example' }],
  ]);
});

// After the examples of the Debian package prometheus-blackbox-exporter: blackbox.yml, and the job of its README.
it('reads prometheus.yml and blackbox.yml as two documents', async () => {
  const draft = await read(`
scrape_configs:
  - job_name: prometheus
    static_configs: [{ targets: [localhost:9090] }]
  - job_name: blackbox
    metrics_path: /probe
    params:
      module: [http_2xx]
    static_configs:
      - targets:
        - http://prometheus.io    # Target to probe with http.
        - https://prometheus.io   # Target to probe with https.
        labels: { env: prod }
      - targets: [box.example:22]
        labels: { __param_module: ssh_banner }
      - targets: [box.example:6667]
        labels: { __param_module: irc_banner }
      - targets: [box.example]
        labels: { __param_module: missing }
    relabel_configs:
      - source_labels: [__address__]
        target_label: __param_target
      - source_labels: [__param_target]
        target_label: instance
      - target_label: __address__
        replacement: 127.0.0.1:9115
  - job_name: discovered
    metrics_path: /probe
    file_sd_configs: [{ files: [targets.json] }]
---
modules:
  http_2xx:
    prober: http
  ssh_banner:
    prober: tcp
    tcp:
      query_response:
      - expect: "^SSH-2.0-"
      - send: "SSH-2.0-blackbox-ssh-check"
  irc_banner:
    prober: tcp
    tcp:
      query_response:
      - send: "NICK prober"
      - send: "USER prober prober prober :prober"
      - expect: "PING :([^ ]+)"
        send: "PONG \${1}"
      - expect: "^:[^ ]+ 001"
`);
  expect(draft.monitors.map(({ name, from, input }) => [name, from, input.tags])).toEqual([
    ['prometheus.io', 'http', ['blackbox', 'env: prod']],
    ['prometheus.io', 'http', ['blackbox', 'env: prod']],
    ['box.example:22', 'tcp', ['blackbox']],
  ]);
  expect(draft.leftOut.map(({ name, reason }) => [name, reason])).toEqual([
    ['box.example:6667', 'An exchange of several messages is not supported.'],
    ['box.example', 'The module missing is not in the file. Append blackbox.yml to it.'],
    ['discovered', expect.stringContaining('Targets that Prometheus discovers are not in the file.')],
  ]);
  expect(draft.notes[0]).toBe('1 scrape job probes nothing, and is not read.');
  expect(new Set(draft.monitors.map(({ key }) => key)).size).toBe(3);
});

it.each([
  [
    'scrape_configs: [{ job_name: node, static_configs: [{ targets: [a] }] }]',
    'not a configuration of Prometheus with probes',
  ],
  ['', 'not a configuration of Prometheus with probes'],
  ['a: [', 'not valid YAML'],
  ['a: &a [*a]', 'not a configuration of Prometheus with probes'],
])('says what is wrong with %j', async (text, problem) => {
  expect(await run(text)).toEqual({ problem: expect.stringContaining(problem) });
});
