import { expect, it } from 'vitest';
import { SizedCache } from '@/server/platform/sized-cache';

const keysIn = (cache: SizedCache<string>, keys: string) => [...keys].filter((key) => cache.get(key) !== undefined);

it('forgets the entries that were used least recently once they are too many', () => {
  const cache = new SizedCache<string>({ entries: 3, size: 100 });
  for (const key of 'abc') cache.set(key, key, 1);
  cache.get('a');
  cache.set('d', 'd', 1);
  expect(keysIn(cache, 'abcd')).toEqual(['a', 'c', 'd']);
});

it('forgets them once they are too large in all, and counts an entry that is replaced once', () => {
  const cache = new SizedCache<string>({ entries: 100, size: 10 });
  for (const key of 'aaab') cache.set(key, key, 4);
  expect(keysIn(cache, 'ab')).toEqual(['a', 'b']);
  cache.set('c', 'c', 4);
  expect(keysIn(cache, 'abc')).toEqual(['b', 'c']);
  cache.delete('b');
  cache.set('d', 'd', 6);
  expect(keysIn(cache, 'bcd')).toEqual(['c', 'd']);
  cache.set('e', 'e', 11);
  expect(keysIn(cache, 'bcde')).toEqual([]);
});
