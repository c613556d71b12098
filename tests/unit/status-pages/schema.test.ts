import { describe, expect, it } from 'vitest';
import { CreateStatusPageInput, Slug, UpdateStatusPageInput } from '@/server/status-pages/schema';

describe('slug schema', () => {
  it.each(['abc', 'a-b', '123', 'a--b', 'northwind-cloud', 'a'.repeat(63)])('accepts %s', (slug) => {
    expect(Slug.safeParse(slug).success).toBe(true);
  });

  it.each([
    '',
    'ab',
    'a'.repeat(64),
    'Abc',
    'a_b',
    'a b',
    'a.b',
    '-abc',
    'abc-',
    'äbc',
    'abc\n',
    'api',
    'new',
    'status',
    'feed',
  ])('rejects %j', (slug) => {
    expect(Slug.safeParse(slug).success).toBe(false);
  });
});

describe('status page update schema', () => {
  it('requires no field, and refuses unknown ones', () => {
    expect(UpdateStatusPageInput.safeParse({ id: 'x' }).success).toBe(true);
    expect(UpdateStatusPageInput.safeParse({ id: 'x', colour: 'red' }).success).toBe(false);
    expect(UpdateStatusPageInput.safeParse({ id: 'x', isPublic: false }).success).toBe(true);
    expect(UpdateStatusPageInput.safeParse({ id: 'x', description: '' }).success).toBe(true);
  });

  it.each<[string, unknown]>([
    ['isPublic', 'false'],
    ['isPublic', 0],
    ['isPublic', null],
    ['title', ' '],
    ['title', 'x'.repeat(121)],
    ['title', 7],
    ['description', 'x'.repeat(2001)],
    ['description', null],
    ['monitorIds', 'x'],
    ['monitorIds', [7]],
    ['monitorIds', ['x', 'x']],
    ['monitorIds', null],
  ])('rejects %s %j', (field, value) => {
    const parsed = UpdateStatusPageInput.safeParse({ id: 'x', [field]: value });
    expect(parsed.error?.issues[0]?.path[0]).toBe(field);
  });

  it('rejects unknown fields', () => {
    const { error } = CreateStatusPageInput.safeParse({ slug: 'shop', title: ' Shop ', teamId: 'another' });
    expect(error?.issues).toMatchObject([{ code: 'unrecognized_keys', keys: ['teamId'] }]);
  });
});
