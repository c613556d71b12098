import { describe, expect, it } from 'vitest';
import { refusalOf, toPath } from '@/scripts/lib/refusals.mjs';

/** Status and code of the refusal, or null. */
function refused(method: string, url: string): [number, string] | null {
  const refusal = refusalOf(method, toPath(url));
  if (!refusal) return null;
  const { error } = JSON.parse(refusal.body);
  expect(error.status).toBe(refusal.status);
  return [refusal.status, error.code];
}

describe('what does not go to Next', () => {
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
  ])('%s is no address', (url) => {
    const expected = url.startsWith('\\') ? [400, 'VALIDATION_ERROR'] : [404, 'NOT_FOUND'];
    expect(refused('GET', url)).toEqual(expected);
  });

  it.each(['/api/v1/%zz', '/api/v1/%E0%A4?x=1', '/%ff', '*', '', 'nonsense', 'javascript:x', 'http://[bad/'])(
    '%j is malformed',
    (url) => expect(refused('GET', url)).toEqual([400, 'VALIDATION_ERROR']),
  );

  it.each(['TRACE', 'PURGE', 'PROPFIND', 'get', ''])('the method %j', (method) => {
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
])('%s goes to Next', (url) => expect(refused('GET', url)).toBeNull());

it("a proxy's form loses its origin", () => {
  expect(toPath('http://upwatch.example.com/api/v1/monitors?limit=1')).toBe('/api/v1/monitors?limit=1');
  expect(toPath('http://upwatch.example.com')).toBe('/');
});

it('scripts of other sites may read why, at the addresses they may use', () => {
  const origin = (url: string) => refusalOf('GET', url)?.headers['access-control-allow-origin'];
  expect(['/api/v1/%zz', '/api/v1/x/', '//api/v1/x'].map(origin)).toEqual(['*', '*', '*']);
  expect(['/dashboard/%zz', '/admin/x/', '/api/v10/'].map(origin)).toEqual([undefined, undefined, undefined]);
});
