import { describe, expect, it } from 'vitest';
import { changedValues } from '@/app/_components/forms/changed-values';

describe('changedValues', () => {
  it.each([
    ['nothing', { name: 'A' }, { name: 'A' }, []],
    ['a text', { name: 'A' }, { name: 'B' }, [{ label: 'Name', now: 'B' }]],
    ['a number', { intervalSeconds: 60 }, { intervalSeconds: 30 }, [{ label: 'Interval seconds', now: '30' }]],
    ['a switch', { isPublic: true }, { isPublic: false }, [{ label: 'Is public', now: 'Off' }]],
    ['a list, without its values', { tags: ['a'] }, { tags: [] }, [{ label: 'Tags', now: null }]],
    ['the address in a config', { config: { url: 'a' } }, { config: { url: 'b' } }, [{ label: 'Url', now: 'b' }]],
    ['what changes by itself', { updatedAt: '1', status: 'up' }, { updatedAt: '2', status: 'down' }, []],
    ['a page’s address of its slug', { slug: 'a', url: '/a' }, { slug: 'b', url: '/b' }, [{ label: 'Slug', now: 'b' }]],
  ])('names %s', (_what, before, now, expected) => {
    expect(changedValues(before, now)).toEqual(expected);
  });
});
