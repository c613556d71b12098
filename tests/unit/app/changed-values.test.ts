import { describe, expect, it } from 'vitest';
import { changedValues } from '@/app/_components/forms/changed-values';

describe('changedValues', () => {
  it.each([
    ['nothing', { name: 'A' }, { name: 'A' }, []],
    ['a text', { name: 'A' }, { name: 'B' }, [{ label: 'Name', now: 'B' }]],
    ['a number', { intervalSeconds: 60 }, { intervalSeconds: 30 }, [{ label: 'Interval seconds', now: '30' }]],
    ['a boolean', { isPublic: true }, { isPublic: false }, [{ label: 'Is public', now: 'Off' }]],
    ['a list, without its values', { tags: ['a'] }, { tags: [] }, [{ label: 'Tags', now: null }]],
    ['the URL in a config', { config: { url: 'a' } }, { config: { url: 'b' } }, [{ label: 'Url', now: 'b' }]],
    ['nothing of components, which are edited beside the form', { components: [] }, { components: [{ id: 'a' }] }, []],
    ['only fields that users change', { updatedAt: '1', status: 'up' }, { updatedAt: '2', status: 'down' }, []],
    [
      'the path of a status page for its slug',
      { slug: 'a', url: '/a' },
      { slug: 'b', url: '/b' },
      [{ label: 'Slug', now: 'b' }],
    ],
  ])('names %s', (_what, before, now, expected) => {
    expect(changedValues(before, now)).toEqual(expected);
  });
});
