import { describe, expect, it } from 'vitest';
import { keysCookie } from '@/app/_components/shell/keys-cookie';
import { railCookie } from '@/app/_components/shell/rail';
import { themeCookie } from '@/app/_components/theme';
import { zoneCookie } from '@/app/_components/time/zone-cookie';
import { dropNextHeaders, keepOwnCookies } from '@/scripts/lib/web/next-headers.mjs';

const tree = encodeURIComponent(JSON.stringify(['', { children: ['monitors', {}] }, null, null]));
const own = { host: 'up.example.com', accept: '*/*', 'x-request-id': 'the-id', 'x-upwatch-address': '127.0.0.1' };
const client = {
  rsc: '1',
  'next-router-state-tree': tree,
  'next-router-prefetch': '1',
  'next-router-segment-prefetch': '/_tree',
  'next-url': '/monitors',
};
/** A tree of so many levels. */
const treeOf = (levels: number) => `${'["",{"children":'.repeat(levels)}["",{}]${'}]'.repeat(levels)}`;
const internal = {
  'next-action': 'abc',
  'x-middleware-subrequest': 'proxy',
  'x-nextjs-data': '1',
  'x-invoke-path': '/admin',
  'x-matched-path': '/admin',
  'x-now-route-matches': '1=x',
  'x-prerender-revalidate': 'x',
};

function left(headers: Record<string, string>, isPage: boolean): Record<string, string> {
  const kept = { ...headers };
  dropNextHeaders(kept, isPage);
  return kept;
}

describe('dropNextHeaders', () => {
  it("keeps the headers of Next's client on a page, and removes others with their names", () => {
    expect(left({ ...own, ...client, ...internal }, true)).toEqual({ ...own, ...client });
  });

  it('removes all of them from an API address', () => {
    expect(left({ ...own, ...client, ...internal }, false)).toEqual(own);
  });

  it.each([
    ['next-router-state-tree', '60'],
    ['next-router-state-tree', '%'],
    ['next-router-state-tree', '["",{"children":60}]'],
    ['next-router-state-tree', ''],
    ['next-router-state-tree', treeOf(100)],
    ['next-router-state-tree', encodeURIComponent(treeOf(100))],
    ['rsc', '0'],
    ['next-router-prefetch', 'x'],
    ['next-router-prefetch', '2'],
    ['next-router-segment-prefetch', 'tree'],
    ['next-url', 'http://evil.example/'],
  ])('removes them if %s is %j, which no client sends', (name, value) => {
    expect(left({ ...own, ...client, [name]: value }, true)).toEqual(own);
  });
});

describe('keepOwnCookies', () => {
  const cookiesLeft = (cookie: string) => {
    const headers: { cookie?: string } = { cookie };
    keepOwnCookies(headers);
    return headers;
  };

  it.each([themeCookie, railCookie, keysCookie, zoneCookie])('keeps the display setting %s', (name) => {
    expect(cookiesLeft(`a=1; ${name}=b=c`)).toEqual({ cookie: `${name}=b=c` });
  });

  it('keeps the cookies of sessions and sign-ins, and removes others', () => {
    const own = [
      'upwatch.session',
      '__Secure-upwatch.session.0',
      'upwatch.callback-url',
      '__Host-next-auth.csrf-token',
    ];
    const pairs = own.map((name) => `${name}=x`);
    expect(cookiesLeft(['themes=a', ...pairs, 'my.upwatch.session=b', 'c'].join(';'))).toEqual({
      cookie: pairs.join('; '),
    });
    expect(cookiesLeft('_ga=1; sid=2')).toEqual({});
  });

  it('keeps the first 20 of thousands', () => {
    const names = Array.from({ length: 2_000 }, (_, index) => `upwatch.${index}=`);
    expect(cookiesLeft(names.join(';'))).toEqual({ cookie: names.slice(0, 20).join('; ') });
  });
});
