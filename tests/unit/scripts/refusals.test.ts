import { describe, expect, it } from 'vitest';
import { headerFault, isPage, refusalOf, toPath } from '@/scripts/lib/web/refusals.mjs';

/** Status and code of the refusal, or null. */
function refused(method: string, url: string): [number, string] | null {
  const refusal = refusalOf(method, toPath(url));
  if (!refusal) return null;
  const { error } = JSON.parse(refusal.body);
  expect(error.status).toBe(refusal.status);
  return [refusal.status, error.code];
}

describe('requests rejected before Next', () => {
  it.each([
    '/api/v1/monitors/',
    '/api/v1/monitors/?limit=1',
    '/api/v1//monitors',
    '//api/v1/monitors',
    '/api\\v1\\monitors',
    '\\/api/v1',
    '/api/',
    '/auth/',
    '/auth/login/',
    '/admin//users',
    '/dashboard//monitors',
    '/dashboard/monitors/',
    '/api/heartbeat/token/',
    'http://127.0.0.1/api/v1/monitors/',
  ])('answers %s as an unknown address', (url) => {
    const expected = url.startsWith('\\') ? [400, 'VALIDATION_ERROR'] : [404, 'NOT_FOUND'];
    expect(refused('GET', url)).toEqual(expected);
  });

  it.each(['/api/v1/%zz', '/api/v1/%E0%A4?x=1', '/%ff', '*', '', 'nonsense', 'javascript:x', 'http://[bad/'])(
    'answers %j as malformed',
    (url) => expect(refused('GET', url)).toEqual([400, 'VALIDATION_ERROR']),
  );

  it.each([
    '/unsubscribe/%00',
    '/acknowledge/a%00b',
    '/incidents/%00',
    '/incidents?q=%00',
    '/status/%00/badge.svg',
    '/api/v1/monitors/%00',
    '/api/callbacks/slack/%00',
    '/api/heartbeat/%00',
  ])('answers %s, which no text of the database matches, as malformed', (url) => {
    expect(refused('GET', url)).toEqual([400, 'VALIDATION_ERROR']);
  });

  it.each(['/', '/login', '/api/health', '/api/v1/monitors', '/status/shop'])(
    'answers %s with more than 100 parameters as malformed',
    (path) => {
      expect(refused('GET', `${path}?${'a&'.repeat(7_000)}`)).toEqual([400, 'VALIDATION_ERROR']);
      expect(refused('GET', `${path}?${Array(101).fill('a=1').join('&')}`)).toEqual([400, 'VALIDATION_ERROR']);
      expect(refused('GET', `${path}?${Array(100).fill('a=1').join('&')}`)).toBeNull();
    },
  );

  it.each(['TRACE', 'PURGE', 'PROPFIND', 'get', ''])('rejects the method %j', (method) => {
    expect(refused(method, '/api/v1/monitors')).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(refusalOf(method, '/')?.headers.allow).toBe('GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
  });
});

it.each([
  '/',
  '/monitors/',
  '/monitors//x',
  '/dashboard/',
  '/api/v1/monitors',
  '/api/v1/monitors?next=//x/&y=%zz',
  '/api/v1/monitors/%2F',
  '/apiary/',
  '/status/shop/',
  '/api/v1/monitors?q=%00',
  '/incidents/%2500',
])('passes %s to Next', (url) => expect(refused('GET', url)).toBeNull());

it.each([
  ['POST', '/login', 'GET, HEAD'],
  ['OPTIONS', '/icon.svg', 'GET, HEAD'],
  ['DELETE', '/_next/static/x.js', 'GET, HEAD'],
  ['PUT', '/dashboard', 'GET, HEAD'],
  ['POST', '/status/shop/logo', 'GET, HEAD, OPTIONS'],
])('rejects %s %s, since pages and files are read-only', (method, url, allow) => {
  expect(refused(method, url)).toEqual([405, 'METHOD_NOT_ALLOWED']);
  expect(refusalOf(method, url)?.headers.allow).toBe(allow);
});

it.each([
  ['OPTIONS', '/status/shop/logo'],
  ['DELETE', '/api/v1/monitors/x'],
  ['POST', '/auth/login'],
  ['PUT', '/dashboard/monitors/x'],
])('passes %s %s to Next', (method, url) => expect(refused(method, url)).toBeNull());

describe('isPage', () => {
  it.each(['/', '/monitors', '/dashboard', '/apiary', '/_next/static/x.js', '/status/x'])('accepts %s', (path) =>
    expect(isPage(path)).toBe(true),
  );
  it.each(['/api', '/api/v1/monitors', '/%61pi/v1/monitors', '/auth/login', '/admin/users', '/dashboard/me'])(
    'rejects %s',
    (path) => expect(isPage(path)).toBe(false),
  );
});

describe('headerFault', () => {
  const faultOf = (rawHeaders: string[], httpVersion = '1.1') => headerFault({ httpVersion, rawHeaders });

  it('rejects more than 200 headers, also of one name', () => {
    const headers = (count: number) => Array.from({ length: count }, () => ['a', '']).flat();
    expect(faultOf(['Host', 'a.test', ...headers(199)])).toBeNull();
    expect(faultOf(['Host', 'a.test', ...headers(200)])).toBe('The request has more than 200 headers.');
  });

  it.each(['up.example.com', 'localhost:3000', '127.0.0.1:65535', '[::1]:3000', 'my_host.', 'xn--bcher-kva.example'])(
    'accepts %s',
    (host) => expect(faultOf(['Accept', '*/*', 'Host', host])).toBeNull(),
  );

  it.each([
    '',
    'a b',
    'a,b',
    'a/b',
    'a?b',
    'a#b',
    'x@y',
    '%',
    'é',
    '[',
    '[x]',
    'a:b:c',
    'a:',
    'a:99999',
    '999.1.1.1',
    '<a>',
  ])('rejects %j', (host) => expect(faultOf(['Host', host])).toBe('The Host header is not a host.'));

  it('rejects a request without a Host header, unless it is HTTP/1.0, and one with two', () => {
    expect(faultOf(['Accept', '*/*'])).toBe('The Host header is missing.');
    expect(faultOf([], '1.0')).toBeNull();
    expect(faultOf(['Host', 'a', 'host', 'a'])).toBe('There is more than one Host header.');
  });

  it('is answered like any other rejection', () => {
    expect(refusalOf('GET', '/api/v1/monitors', 'The Host header is missing.')).toMatchObject({ status: 400 });
  });
});

it('removes the origin from an absolute-form request', () => {
  expect(toPath('http://upwatch.example.com/api/v1/monitors?limit=1')).toBe('/api/v1/monitors?limit=1');
  expect(toPath('http://upwatch.example.com')).toBe('/');
});

it('lets scripts of other origins read the error at the addresses they may use', () => {
  const origin = (url: string) => refusalOf('GET', url)?.headers['access-control-allow-origin'];
  expect(['/api/v1/%zz', '/api/v1/x/', '//api/v1/x'].map(origin)).toEqual(['*', '*', '*']);
  expect(['/dashboard/%zz', '/admin/x/', '/api/v10/'].map(origin)).toEqual([undefined, undefined, undefined]);
});
