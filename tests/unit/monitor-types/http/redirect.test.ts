import { describe, expect, it } from 'vitest';
import { followRedirect, type HttpRequest, isRedirect, shownAddress } from '@/server/monitor-types/http/redirect';

const request: HttpRequest = {
  url: new URL('https://shop.test/cart'),
  method: 'POST',
  headers: {
    accept: '*/*',
    authorization: 'Bearer t',
    cookie: 'a=b',
    'content-type': 'text/plain',
    'x-api-key': 'k',
    'user-agent': 'Upwatch/1.0',
  },
  body: 'hello',
};

describe('followRedirect', () => {
  it.each([
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'POST', 'GET'],
    [303, 'DELETE', 'GET'],
    [303, 'HEAD', 'HEAD'],
    [301, 'PUT', 'PUT'],
    [302, 'DELETE', 'DELETE'],
    [307, 'POST', 'POST'],
    [308, 'POST', 'POST'],
  ])('follows %i after %s with %s', (statusCode, method, expected) => {
    const next = followRedirect({ ...request, method }, statusCode, '/done');
    expect(next.method).toBe(expected);
    const keepsBody = method === expected && method !== 'HEAD';
    if (keepsBody) expect(next).toMatchObject({ body: 'hello', headers: { 'content-type': 'text/plain' } });
    if (method !== expected) {
      expect(next.body).toBeNull();
      expect(next.headers).not.toHaveProperty('content-type');
    }
  });

  it('keeps all headers on the same origin', () => {
    const next = followRedirect({ ...request, method: 'GET' }, 302, '../login?a=1#part');
    expect(next.url.href).toBe('https://shop.test/login?a=1#part');
    expect(next.headers).toEqual(request.headers);
  });

  it.each([
    'https://elsewhere.test/',
    'http://shop.test/cart',
    'https://shop.test:444/cart',
    '//elsewhere.test',
    'https://www.shop.test/',
  ])('drops credentials on the way to %s', (location) => {
    const next = followRedirect(request, 307, location);
    expect(Object.keys(next.headers).sort()).toEqual(['accept', 'user-agent']);
    const back = followRedirect(next, 307, 'https://shop.test/');
    expect(back.headers).not.toHaveProperty('authorization');
  });

  it.each([
    [307, 'POST'],
    [308, 'POST'],
    [301, 'PUT'],
    [302, 'PATCH'],
    [302, 'DELETE'],
  ])(
    'drops the body on the way to another origin after %i with %s, even if a later redirect leads back',
    (statusCode, method) => {
      const next = followRedirect({ ...request, method }, statusCode, 'https://elsewhere.test/');
      expect(next).toMatchObject({ method, body: null });
      expect(next.headers).not.toHaveProperty('content-type');
      expect(followRedirect(next, 307, 'https://shop.test/').body).toBeNull();
    },
  );

  it.each(['ftp://shop.test/', 'file:///etc/passwd', 'javascript:alert(1)', 'http://', 'https://a:99999/'])(
    'rejects %s',
    (location) => {
      expect(() => followRedirect(request, 302, location)).toThrow(/^Redirected to/);
    },
  );
});

describe('failed redirect', () => {
  it('omits the query of the address from its message, which viewers read', () => {
    expect(() => followRedirect(request, 302, 'ftp://shop.test/a?token=secret#x')).toThrow(
      'Redirected to "ftp://shop.test/a?…", which is not an http:// or https:// address',
    );
    expect(shownAddress('https://shop.test/a?token=secret')).toBe('https://shop.test/a?…');
    expect(shownAddress('https://shop.test/a#token=secret\nx')).toBe('https://shop.test/a?…');
    expect(shownAddress('https://shop.test/a')).toBe('https://shop.test/a');
  });
});

describe('isRedirect', () => {
  it('requires a Location header', () => {
    expect(isRedirect(302, '/')).toBe(true);
    expect(isRedirect(302, undefined)).toBe(false);
    expect(isRedirect(304, '/')).toBe(false);
    expect(isRedirect(200, '/')).toBe(false);
  });
});
