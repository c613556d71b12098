import { describe, expect, it } from 'vitest';
import { dropNextHeaders } from '@/scripts/lib/web/next-headers.mjs';

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
