import { describe, expect, test } from 'vitest';
import { toStepField } from '@/app/(dashboard)/(team)/monitors/_components/form/field-kinds';
import { fieldOf, monitorForm } from '@/app/(dashboard)/(team)/monitors/_components/form/form-schema';
import {
  type MonitorFields,
  toFields,
  toInput,
} from '@/app/(dashboard)/(team)/monitors/_components/form/monitor-fields';
import { CreateMonitorInput, definitions, type Monitor, MonitorType } from '@/server/monitor-types/schema';

const filled = () => {
  const fields = toFields('http');
  return { ...fields, name: 'Shop', http: { ...fields.http, url: 'https://shop.example/' } };
};

/** The first message of each field; null if the form is valid. */
function findErrors(fields: MonitorFields): Map<string, string> | null {
  const { error } = monitorForm().safeParse(fields);
  return error ? new Map(error.issues.map(({ path, message }) => [path.join('.'), message] as const).reverse()) : null;
}

function stored(config: Record<string, unknown>): Monitor {
  const at = '2026-11-17T00:00:00.000Z';
  return {
    id: '01KACV6T3QZ8',
    teamId: '01KACV6T3QZ9',
    type: 'http',
    name: 'Shop',
    config,
    intervalSeconds: 45,
    status: 'up',
    isActive: 1,
    tags: ['prod'],
    channelIds: ['one'],
    regions: [],
    severity: 'warning',
    externalId: null,
    lastCheckedAt: null,
    createdAt: at,
    updatedAt: at,
  };
}

describe('monitor form and its schema', () => {
  test('requires a URL and a name for a new monitor', () => {
    expect([...(findErrors(toFields('http'))?.keys() ?? [])]).toEqual(expect.arrayContaining(['http.url', 'name']));
    expect([...(findErrors(toFields('tcp'))?.keys() ?? [])]).toEqual(expect.arrayContaining(['tcp.host', 'tcp.port']));
  });

  test('accepts a URL and a name alone, with the defaults of the schema', () => {
    const short = CreateMonitorInput.parse({ type: 'http', name: 'Shop', config: { url: 'https://shop.example/' } });
    const { intervalSeconds: _interval, tags: _tags, channelIds: _channels, regions, ...input } = toInput(filled());
    expect(regions).toEqual([]);
    // What nobody set of the confirmation is not sent, so that it follows the defaults.
    expect(input.config).not.toHaveProperty('confirm');
    const config = { ...input.config, confirm: {} };
    expect({ ...input, config }).toEqual({ ...short, severity: 'critical', externalId: null });
  });

  test('shows errors at the field they concern, with messages of its own', () => {
    const fields = filled();
    const { http } = fields;
    const errors = findErrors({
      ...fields,
      checked: { timeoutMs: '90 s', confirm: { failures: '3', recoveries: '4', retryDelayMs: 'soon' } },
      http: {
        ...http,
        expectedStatus: '200-299, 99',
        degradedAfterMs: '700',
        headers: [{ name: 'x y', value: '1' }],
        assertions: [{ source: 'json', property: 'status', operator: 'equals', value: '' }],
      },
    });
    expect(errors?.get('checked.timeoutMs')).toBe('At most 60 s.');
    expect(errors?.get('checked.confirm.retryDelayMs')).toContain('with its unit');
    expect(errors?.get('http.degradedAfterMs')).toContain('with its unit');
    expect(errors?.get('http.expectedStatus')).toContain('200-299');
    expect(errors?.has('http.headers')).toBe(true);
    expect(errors?.has('http.assertions.0.property')).toBe(true);
    expect(errors?.has('http.assertions.0.value')).toBe(true);
  });

  test.each(['http', 'websocket'] as const)(
    'reports a header name of %s that no object can hold, instead of dropping it',
    (type) => {
      const fields = { ...filled(), type };
      const headers = (name: string) => ({ headers: [{ name, value: '1' }] });
      const named = (name: string) => ({
        ...fields,
        http: { ...fields.http, ...headers(name) },
        websocket: { ...fields.websocket, url: 'wss://shop.example/', ...headers(name) },
      });
      expect(findErrors(named(' __proto__ '))).toEqual(
        new Map([[`${type}.headers`, 'A header cannot be named __proto__.']]),
      );
      for (const name of ['constructor', 'prototype', 'toString']) expect(findErrors(named(name))).toBeNull();
    },
  );

  test('reports names that appear twice, of which an object would keep one', () => {
    const pairs = (...names: string[]) => names.map((name) => ({ name, value: name }));
    const fields = { ...filled(), type: 'multistep' as const };
    const step = { ...toStepField(), name: 'A', url: 'a.test' };
    const withPairs = (headers: string[], variables: string[]) => ({
      ...fields,
      multistep: {
        ...fields.multistep,
        steps: [step, { ...step, name: 'B', headers: pairs(...headers) }],
        variables: pairs(...variables),
      },
    });
    expect(findErrors(withPairs(['accept', ''], ['pin', 'PIN']))).toBeNull();
    expect(findErrors(withPairs(['accept', 'Accept'], ['pin', ' pin ']))).toEqual(
      new Map([
        ['multistep.steps.1.headers', 'Two headers are named Accept.'],
        ['multistep.variables', 'Two variables are named pin.'],
      ]),
    );
  });

  test.each([
    ['tcp', 'config.port', 'tcp.port'],
    ['tls', 'config.port', 'tls.port'],
    ['dns', 'config.expect.values.0', 'dns.expect.values'],
    ['dns', 'config.expect.match', 'dns.expect.match'],
    ['websocket', 'config.headers.x', 'websocket.headers'],
    ['grpc', 'config.timeoutMs', 'checked.timeoutMs'],
    ['ping', 'config.url', null],
  ] as const)('maps an issue of %s at %s to the field %s', (type, path, field) => {
    expect(fieldOf(type, path)).toBe(field);
  });

  const login = {
    ...{ host: 'a.test', port: 1, username: 'probe', password: '••••word' },
    ...{ tls: true, verifyTls: false, certificateWarnDays: 0 },
  };

  test.each([
    ['tcp', { host: 'a.test', port: 25, tls: true, send: 'x', expect: 'y' }],
    ['ping', { host: 'a.test', packetCount: 5, maxLossPercent: 20, packetBytes: 1_000, maxRoundTripMs: 150 }],
    [
      'dns',
      {
        host: 'a.test',
        recordType: 'MX',
        resolver: '192.0.2.53:5353',
        expect: { match: 'all', values: ['10 b.test', 'c.test'] },
      },
    ],
    ['dns', { host: 'a.test', recordType: 'A' }],
    ['domain', { domain: 'northwind.example', warnDays: 45 }],
    ['tls', { host: 'a.test', port: 8443, serverName: 'b.test', warnDays: 0, certificatePin: 'ab'.repeat(32) }],
    [
      'websocket',
      { url: 'wss://a.test/x', headers: { authorization: '••••1234' }, send: 'x', expect: 'y', saveResponseBody: true },
    ],
    ['grpc', { host: 'a.test', port: 50051, service: 'shop.Cart', tls: true, verifyTls: false }],
    ['smtp', { host: 'a.test', port: 587, security: 'starttls', expectedCode: 250, certificateWarnDays: 7 }],
    ['redis', { ...login, role: 'primary' }],
    ['postgresql', { ...login, database: 'shop', query: 'SELECT 2', expectedValue: ' 2', saveResponseBody: true }],
    ['mqtt', { ...login, topic: 'a/#', retained: false, jsonPath: '$.a', expectedValue: '1' }],
    ['ssh', { host: 'a.test', port: 2222, expect: 'OpenSSH', pattern: ' 9', degradedAfterMs: 500 }],
    [
      'mailbox',
      {
        host: 'a.test',
        protocol: 'pop3',
        security: 'starttls',
        username: 'probe',
        password: '••••',
        verifyTls: false,
        certificateWarnDays: 7,
      },
    ],
    [
      'multistep',
      {
        steps: [
          {
            name: 'Log in',
            url: 'https://shop.example/login',
            method: 'POST',
            headers: { 'x-api-key': '••••1234' },
            body: '{"password": "{{password}}"}',
            expectedStatus: ['200-299', '302'],
            followRedirects: false,
            assertions: [{ source: 'json', property: '$.ok', operator: 'equals', value: true }],
            extract: [{ name: 'token', from: 'json', expression: '$.token' }],
          },
          {
            name: 'Next',
            url: '{{token}}',
            method: 'GET',
            headers: {},
            expectedStatus: ['200-299'],
            followRedirects: true,
            assertions: [],
            extract: [],
          },
        ],
        variables: { password: '••••word' },
        maxRedirects: 3,
        verifyTls: false,
        certificateWarnDays: 7,
        ipFamily: '6',
      },
    ],
  ] as const)('restores a stored %s config unchanged', (type, own) => {
    const config = { ...own, timeoutMs: 1500, confirm: { failures: 3, recoveries: 2, retryDelayMs: 500 } };
    const input = toInput(toFields('http', { ...stored(config), type }), config);
    expect(input).toMatchObject({ type, config });
    expect(input.config).toEqual(config);
    expect(CreateMonitorInput.safeParse(input).success).toBe(true);
  });

  test.each([
    [{ graceSeconds: 90 }, 45],
    [
      { graceSeconds: 600, cron: '0 3 * * *', timezone: 'Europe/Berlin', pingUrl: 'http://x.test/api/heartbeat/y' },
      undefined,
    ],
  ])('restores a stored heartbeat unchanged: %j', (config, intervalSeconds) => {
    const input = toInput(toFields('http', { ...stored(config), type: 'heartbeat' }), config);
    expect(input.config).toEqual(config);
    expect('intervalSeconds' in input ? input.intervalSeconds : undefined).toBe(intervalSeconds);
    expect(CreateMonitorInput.safeParse(input).success).toBe(true);
  });

  test('explains what is wrong with heartbeat fields', () => {
    const fields = { ...toFields('heartbeat'), name: 'A' };
    const wrong = { schedule: 'cron' as const, cron: '0 3 * *', timezone: 'Nowhere', graceSeconds: '0 s' };
    const errors = findErrors({ ...fields, heartbeat: wrong });
    expect(errors?.get('heartbeat.graceSeconds')).toBe('At least 1 s.');
    expect(errors?.get('heartbeat.timezone')).toContain('Europe/Berlin');
    expect(
      findErrors({ ...fields, heartbeat: { ...wrong, graceSeconds: '60 s', timezone: '' } })?.has('heartbeat.cron'),
    ).toBe(true);
  });

  test('sets every field of the REST operation: restores an http monitor with all of them from the fields alone', () => {
    const config = {
      url: 'https://shop.example/',
      method: 'POST',
      headers: { accept: 'text/html' },
      body: '{}',
      auth: { kind: 'bearer', token: '••••1234' },
      expectedStatus: ['200-299', '301'],
      followRedirects: false,
      maxRedirects: 3,
      timeoutMs: 1500,
      degradedAfterMs: 800,
      verifyTls: false,
      caCertificate: '-----BEGIN CERTIFICATE-----\nTUlJ\n-----END CERTIFICATE-----',
      certificatePin: 'ab'.repeat(32),
      clientCertificate: '-----BEGIN CERTIFICATE-----\nTUlJ\n-----END CERTIFICATE-----',
      clientKey: '••••----',
      certificateWarnDays: 30,
      ipFamily: '6',
      saveResponseBody: false,
      connectionTests: false,
      upsideDown: true,
      assertions: [{ source: 'json', property: '$.ok', operator: 'equals', value: true }],
      confirm: { failures: 3, recoveries: 2, retryDelayMs: 500, degraded: 5 },
    };
    expect(Object.keys(config).sort()).toEqual(Object.keys(definitions.http.schema.shape).sort());
    const regions = ['eu', 'us'];
    const { type, name, intervalSeconds, tags, channelIds, severity } = stored(config);
    const input = toInput(toFields('http', { ...stored(config), externalId: 'shop 1', regions }));
    const expected = { type, name, intervalSeconds, tags, channelIds, regions, severity, externalId: 'shop 1', config };
    expect(input).toEqual(expected);
    // The form does not contain `isActive`: the monitor's page has a button for it.
    const { isActive: _button, ...shape } = CreateMonitorInput.options[0].shape;
    expect(Object.keys(input).sort()).toEqual(Object.keys(shape).sort());
  });

  test('starts every type with the defaults of the schema', () => {
    for (const type of MonitorType.options) {
      const fields = toFields(type);
      const filled = { ...fields, name: 'A' };
      const own = { host: 'a.test', url: 'https://a.test', port: '443', topic: 'a/b', domain: 'a.test' };
      // Redis has a password without a username; a mailbox has both or neither.
      const login = ['redis', 'mailbox'].includes(type) ? {} : { username: 'probe' };
      const typed = { ...filled, [type]: { ...filled[type], ...own, ...login } };
      if (type === 'multistep') typed.multistep.steps = [{ ...toStepField(), name: 'A', url: 'a.test' }];
      if (type === 'websocket') typed.websocket = { ...typed.websocket, url: 'a.test' };
      expect(findErrors(typed)).toBeNull();
      const { confirm: _unset, ...config } = CreateMonitorInput.parse(toInput(typed)).config as Record<string, unknown>;
      expect(toInput(typed).config).toEqual(
        type === 'http' ? expect.objectContaining({ url: 'https://a.test' }) : config,
      );
    }
  });

  test.each([
    ['config.url', 'http.url'],
    ['config.headers.x-api-key', 'http.headers'],
    ['config.auth.password', 'http.auth.password'],
    ['config.confirm.failures', 'checked.confirm.failures'],
    ['tags.0', 'tags'],
    ['config.certificateWarnDays', 'http.certificateWarnDays'],
    ['externalId', 'externalId'],
    ['id', null],
  ])('maps an issue at %s to the field %s', (path, field) => {
    expect(fieldOf('http', path)).toBe(field);
  });

  test.each([
    ['config.steps', 'multistep.steps'],
    ['config.steps.1.url', 'multistep.steps.1.url'],
    ['config.steps.1.headers.authorization', 'multistep.steps.1.headers'],
    ['config.steps.0.expectedStatus.1', 'multistep.steps.0.expectedStatus'],
    ['config.steps.0.extract.2.expression', 'multistep.steps.0.extract.2.expression'],
    ['config.steps.0.assertions.0.value', 'multistep.steps.0.assertions.0.value'],
    ['config.variables.password', 'multistep.variables'],
  ])('maps an issue of a step at %s to the field %s', (path, field) => {
    expect(fieldOf('multistep', path)).toBe(field);
  });

  test('restores a stored config unchanged, masks included', () => {
    const config = {
      url: 'https://shop.example/',
      method: 'POST',
      headers: { accept: 'text/html' },
      body: '{}',
      auth: {
        kind: 'oauth2',
        tokenUrl: 'https://id.example/token',
        clientId: 'a',
        clientSecret: '••••1234',
        scope: 'read',
      },
      expectedStatus: ['200-299', '301'],
      followRedirects: false,
      maxRedirects: 3,
      timeoutMs: 1500,
      degradedAfterMs: 800,
      verifyTls: false,
      certificateWarnDays: 3,
      ipFamily: '6',
      assertions: [
        { source: 'json', property: '$.n', operator: 'equals', value: '5' },
        { source: 'header', property: 'etag', operator: 'exists' },
      ],
      confirm: { failures: 3, recoveries: 2, retryDelayMs: 500, degraded: 5 },
    };
    const monitor = stored(config);
    const input = toInput(toFields('http', monitor), config);
    expect(input).toEqual({
      type: 'http',
      name: 'Shop',
      tags: ['prod'],
      externalId: null,
      intervalSeconds: 45,
      channelIds: ['one'],
      regions: [],
      severity: 'warning',
      config,
    });
    expect(CreateMonitorInput.safeParse(input).success).toBe(true);
  });

  test('removes the cron schedule of a heartbeat that changes to an interval', () => {
    const config = { graceSeconds: 60, cron: '0 3 * * *', timezone: 'Europe/Berlin', pingUrl: 'http://x.test/y' };
    const fields = toFields('http', { ...stored(config), type: 'heartbeat' });
    expect(fields.heartbeat).toMatchObject({ schedule: 'cron', graceSeconds: '60 s' });
    const input = toInput({ ...fields, heartbeat: { ...fields.heartbeat, schedule: 'interval' } }, config);
    expect(input).toMatchObject({ intervalSeconds: 45 });
    expect(input.config).toEqual({ graceSeconds: 60, pingUrl: 'http://x.test/y' });
  });

  test('keeps what the fields of one type hold out of the config of another', () => {
    const fields = filled();
    const checked = { ...fields.checked, confirm: { failures: '2' } };
    const tcp = { ...fields.tcp, host: 'a.test', port: '25' };
    const http = { ...fields.http, confirm: { degraded: '5' } };
    const { config } = toInput({ ...fields, type: 'tcp', checked, tcp, http });
    expect(Object.keys(config).sort()).toEqual(['confirm', 'host', 'port', 'timeoutMs', 'tls']);
    expect(config.confirm).toEqual({ failures: 2 });
  });

  test('removes an emptied field from the config', () => {
    const config = {
      url: 'https://shop.example/',
      body: '{}',
      degradedAfterMs: 800,
      auth: { kind: 'bearer', token: '••••1234' },
    };
    const fields = toFields('http', stored(config));
    const input = toInput(
      {
        ...fields,
        http: { ...fields.http, body: '', degradedAfterMs: '', auth: { kind: 'undefined', token: '••••1234' } },
      },
      config,
    );
    expect(Object.keys(input.config)).not.toEqual(expect.arrayContaining(['body']));
    expect(input.config).not.toHaveProperty('degradedAfterMs');
    expect(input.config).not.toHaveProperty('auth');
  });
});
