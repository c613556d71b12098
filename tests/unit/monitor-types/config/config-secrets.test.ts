import { describe, expect, it } from 'vitest';
import {
  editableConfig,
  maskChanged,
  maskConfig,
  openConfig,
  sealConfig,
  sealPlain,
} from '@/server/monitor-types/config/config-secrets';
import { definitions, type TypedConfig } from '@/server/monitor-types/schema';
import { AppError } from '@/server/platform/errors';

function typed(type: TypedConfig['type'], config: object): TypedConfig {
  return { type, config: definitions[type].schema.parse(config) } as TypedConfig;
}

/** The paths at which a change of a stored config is refused; empty if it is accepted. */
function refusedPaths(type: TypedConfig['type'], before: object, after: object): string[] {
  const stored = sealConfig(typed(type, before));
  try {
    sealConfig(typed(type, after), stored);
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') throw error;
    return error.issues?.map(({ path }) => path) ?? [];
  }
}

const cases: { type: TypedConfig['type']; config: object; secrets: string[]; masked: object }[] = [
  {
    type: 'http',
    config: { url: 'https://shop.example/health?token=TOPSECRET', method: 'POST', body: 'pin=TOPSECRET' },
    secrets: ['TOPSECRET'],
    masked: { url: 'https://shop.example/health?••••', body: '••••' },
  },
  {
    type: 'http',
    config: {
      url: 'https://shop.example/#TOPSECRET',
      auth: {
        kind: 'oauth2',
        tokenUrl: 'https://id.example/token?tenant=TOPSECRET',
        clientId: 'me',
        clientSecret: 'TOPSECRET-1234',
      },
    },
    secrets: ['TOPSECRET'],
    masked: {
      url: 'https://shop.example/#••••',
      auth: {
        kind: 'oauth2',
        tokenUrl: 'https://id.example/token?••••',
        clientId: 'me',
        clientSecret: '••••1234',
      },
    },
  },
  {
    type: 'websocket',
    config: { url: 'wss://feed.example/live?key=TOPSECRET', send: '{"auth":"TOPSECRET"}' },
    secrets: ['TOPSECRET'],
    masked: { url: 'wss://feed.example/live?••••', send: '••••' },
  },
  {
    type: 'tcp',
    config: { host: 'redis.example', port: 6379, send: 'AUTH TOPSECRET\r\n' },
    secrets: ['TOPSECRET'],
    masked: { send: '••••' },
  },
];

describe.each(cases)('secrets of a config: $type $masked', ({ type, config, secrets, masked }) => {
  const plain = typed(type, config);
  const stored = sealConfig(plain);

  it('encrypts secrets of a config at rest and decrypts them for a check', () => {
    for (const secret of secrets) expect(JSON.stringify(stored)).not.toContain(secret);
    expect(openConfig(type, JSON.parse(JSON.stringify(stored)))).toEqual(plain);
  });

  it('masks secrets of a config for viewers', () => {
    expect(maskConfig(type, stored)).toEqual({ ...plain.config, ...masked });
  });

  it('shows secrets of a config to editors, except credentials', () => {
    const { auth } = { auth: undefined, ...masked } as { auth?: object | undefined };
    const shown = editableConfig(type, stored);
    expect({ ...shown, auth: null }).toEqual({ ...plain.config, auth: null });
    if (auth) expect(shown.auth).toMatchObject({ clientSecret: '••••1234' });
  });

  it('stay unchanged when their masks are sent back', () => {
    const again = sealConfig(typed(type, maskConfig(type, stored)), stored);
    expect(openConfig(type, again)).toEqual(plain);
    expect(again).toEqual(stored);
  });

  it('reject a mask if nothing is stored', () => {
    expect(() => sealConfig(typed(type, maskConfig(type, stored)))).toThrow(/mask/);
  });

  it('encrypts secrets of a config that were stored in plain text', () => {
    const sealed = sealPlain(type, plain.config);
    for (const secret of secrets) expect(JSON.stringify(sealed)).not.toContain(secret);
    expect(openConfig(type, sealed)).toEqual(plain);
    expect(maskConfig(type, plain.config)).toEqual(maskConfig(type, stored));
    expect(sealPlain(type, stored)).toEqual(stored);
  });
});

it('masks all but harmless headers for viewers, and credentials for editors', () => {
  const headers = { Accept: 'text/html', 'User-Agent': 'x', 'X-Tenant': 'TOPSECRET', 'X-Api-Key': 'TOPSECRET-1234' };
  const config = typed('http', { url: 'https://shop.example/', headers });
  const stored = sealConfig(config);
  expect(JSON.stringify(stored)).not.toContain('TOPSECRET');
  const masked = { ...headers, 'X-Tenant': '••••', 'X-Api-Key': '••••1234' };
  expect(maskConfig('http', stored)).toMatchObject({ headers: masked });
  expect(editableConfig('http', stored)).toMatchObject({ headers: { ...headers, 'X-Api-Key': '••••1234' } });
  expect(sealConfig(typed('http', maskConfig('http', stored)), stored)).toEqual(stored);
  const elsewhere = { url: 'https://evil.example/', headers: { 'X-Tenant': '••••' } };
  expect(() => sealConfig(typed('http', elsewhere), stored)).toThrow(/different server/);
});

it('keeps a URL without query, fragment and userinfo in plain text', () => {
  const config = typed('http', { url: 'https://shop.example/health' });
  expect(sealConfig(config)).toEqual(config.config);
});

it('masks the userinfo of a URL stored before it was rejected', () => {
  expect(maskConfig('http', { url: 'https://me:pw@shop.example/x' })).toEqual({ url: 'https://••••@shop.example/x' });
});

it('accepts the mask of a URL that a client parsed and serialized again', () => {
  const config = { url: 'https://shop.example/x?token=TOPSECRET' };
  const encoded = { url: new URL('https://shop.example/x?••••').href };
  expect(refusedPaths('http', config, encoded)).toEqual([]);
});

describe('mask with a changed destination', () => {
  const http = { url: 'https://shop.example/a', method: 'POST' };
  const masked = { ...http, body: '••••' };
  const withBody = { ...http, body: 'pin=1234' };
  const bearer = { ...http, auth: { kind: 'bearer', token: 'abcdefgh12345678' } };
  const maskedBearer = (url: string) => ({ url, auth: { kind: 'bearer', token: '••••5678' } });
  const basic = { ...http, auth: { kind: 'basic', username: 'me', password: 'abcdefgh12345678' } };
  const header = { ...http, headers: { 'X-Api-Key': 'abcdefgh12345678' } };
  const oauth2 = (url: string, tokenUrl: string, clientSecret = 'abcdefgh12345678') => ({
    url,
    auth: { kind: 'oauth2', tokenUrl, clientId: 'me', clientSecret },
  });
  const moved = oauth2('https://shop.example/', 'https://id.example/token');
  const socket = { url: 'wss://feed.example/', send: 'TOPSECRET', headers: { authorization: 'Bearer abcdefgh' } };
  const tcp = { host: 'redis.example', port: 6379, tls: true, send: 'AUTH x' };

  it.each<[string, TypedConfig['type'], object, object, string[]]>([
    ['a body to another host', 'http', withBody, { ...masked, url: 'https://evil.example/a' }, ['config.body']],
    ['a body to plain http', 'http', withBody, { ...masked, url: 'http://shop.example/a' }, ['config.body']],
    ['a body to another port', 'http', withBody, { ...masked, url: 'https://shop.example:8443/a' }, ['config.body']],
    ['a bearer token', 'http', bearer, maskedBearer('https://evil.example/a'), ['config.auth.token']],
    [
      'a password',
      'http',
      basic,
      { url: 'https://evil.example', auth: { kind: 'basic', username: 'me', password: '••••5678' } },
      ['config.auth.password'],
    ],
    [
      'a header',
      'http',
      header,
      { url: 'https://evil.example', headers: { 'X-Api-Key': '••••5678' } },
      ['config.headers.X-Api-Key'],
    ],
    [
      'a client secret to another token URL',
      'http',
      moved,
      oauth2('https://shop.example/', 'https://evil.example/token', '••••5678'),
      ['config.auth.clientSecret'],
    ],
    [
      'a client secret whose tokens go to another URL',
      'http',
      moved,
      oauth2('https://evil.example/', 'https://id.example/token', '••••5678'),
      ['config.auth.clientSecret'],
    ],
    [
      'a header to another site of the server',
      'http',
      header,
      { ...http, headers: { 'X-Api-Key': '••••5678', host: 'evil.example' } },
      ['config.headers.X-Api-Key'],
    ],
    [
      'a header beside a second Host header',
      'http',
      { ...header, headers: { ...header.headers, Host: 'shop.example' } },
      { ...http, headers: { 'X-Api-Key': '••••5678', Host: 'shop.example', host: 'evil.example' } },
      ['config.headers.X-Api-Key'],
    ],
    [
      'a query string to another site of the server',
      'http',
      { url: 'https://shop.example/a?token=x', headers: { Host: 'shop.example' } },
      { url: 'https://shop.example/a?••••', headers: { Host: 'evil.example' } },
      ['config.url'],
    ],
    [
      'a query string',
      'http',
      { url: 'https://shop.example/a?token=x' },
      { url: 'https://evil.example/a?••••' },
      ['config.url'],
    ],
    [
      'a WebSocket message',
      'websocket',
      socket,
      { url: 'wss://evil.example/', send: '••••', headers: { authorization: '••••efgh' } },
      ['config.send', 'config.headers.authorization'],
    ],
    ['data sent over TCP to another host', 'tcp', tcp, { ...tcp, host: 'evil.example', send: '••••' }, ['config.send']],
    ['data sent over TCP to another port', 'tcp', tcp, { ...tcp, port: 6380, send: '••••' }, ['config.send']],
    ['data sent over TCP without TLS', 'tcp', tcp, { ...tcp, tls: false, send: '••••' }, ['config.send']],
  ])('is rejected at its field: %s', (_name, type, before, after, paths) => {
    expect(refusedPaths(type, before, after)).toEqual(paths);
  });

  it.each<[string, TypedConfig['type'], object, object]>([
    ['another path', 'http', withBody, { ...masked, url: 'https://shop.example/b' }],
    ['an added query string', 'http', bearer, maskedBearer('https://shop.example/a?b=c')],
    ['the default port written out', 'http', bearer, maskedBearer('https://shop.example:443/a')],
    ['the host in another case', 'tcp', tcp, { ...tcp, host: 'REDIS.example', send: '••••' }],
    ['the secret entered again', 'http', withBody, { ...withBody, url: 'https://evil.example/a' }],
    ['the secret left out', 'http', withBody, { ...http, url: 'https://evil.example/a' }],
  ])('is accepted with %s', (_name, type, before, after) => {
    expect(refusedPaths(type, before, after)).toEqual([]);
  });
});

describe('mask of a variable of steps', () => {
  const login = (more = {}) => ({
    name: 'Log in',
    method: 'POST',
    url: 'https://API.example/in',
    body: '{{pin}}',
    ...more,
  });
  const extract = [{ name: 'next', from: 'header', expression: 'location' }];
  const next = { name: 'Next', url: '{{next}}', headers: { authorization: 'Bearer {{pin}}' } };
  const stepsOf = (...steps: object[]) => ({ steps, variables: { pin: 'abcdefgh12345678' } });
  const masked = (...steps: object[]) => ({ steps, variables: { pin: '••••5678' } });
  const PIN = ['config.variables.pin'];

  it.each<[string, object, object, string[]]>([
    ['the same steps', stepsOf(login()), masked(login()), []],
    ['another path of the same server', stepsOf(login()), masked(login({ url: 'https://api.example:443/b?a=1' })), []],
    ['another server', stepsOf(login()), masked(login({ url: 'https://evil.example/in' })), PIN],
    ['another site of the server', stepsOf(login()), masked(login({ headers: { Host: 'evil.example' } })), PIN],
    [
      'the same steps, of which a response names a server',
      stepsOf(login({ extract }), next),
      masked(login({ extract }), next),
      [],
    ],
    [
      'another name of such a step',
      stepsOf(login({ extract }), next),
      masked(login({ extract, name: 'In' }), next),
      [],
    ],
    [
      'another request whose response names a server',
      stepsOf(login({ extract }), next),
      masked(login({ extract, url: 'https://api.example/in?to=https://evil.example' }), next),
      PIN,
    ],
    [
      'text after the value that names a server',
      stepsOf(login({ extract }), next),
      masked(login({ extract }), { ...next, url: '{{next}}/evil.example/x' }),
      PIN,
    ],
    [
      'a step more, of which a response names a server',
      stepsOf(login({ extract })),
      masked(login({ extract }), next),
      PIN,
    ],
  ])('with %s', (_name, before, after, paths) => {
    expect(refusedPaths('multistep', before, after)).toEqual(paths);
  });
});

it('records in the audit log that a secret changed if its mask is the same', () => {
  const before = sealConfig(typed('http', { url: 'https://a.example/?x=1', body: 'one', method: 'POST' }));
  const after = sealConfig(typed('http', { url: 'https://a.example/?x=2', body: 'one', method: 'POST' }));
  expect(maskChanged('http', after, before)).toMatchObject({ url: 'https://a.example/?•••• (changed)', body: '••••' });
  expect(maskChanged('http', before, before)).toEqual(maskConfig('http', before));
});
