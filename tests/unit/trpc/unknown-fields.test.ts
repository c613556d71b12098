import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { CreateMonitorInput } from '@/server/monitor-types/schema';
import { toIssues } from '@/server/trpc/error-table';
import { describeUnknown } from '@/server/trpc/unknown-fields';

describe('describeUnknown', () => {
  it.each([
    ['interval', 'intervalSeconds'],
    ['intervalSecond', 'intervalSeconds'],
    ['externalid', 'externalId'],
    ['external_id', 'externalId'],
    ['nmae', 'name'],
    ['label', 'tags'],
  ])('suggests for %s the nearest known field: %s', (name, known) => {
    const text = describeUnknown('field', name, ['name', 'config', 'intervalSeconds', 'tags', 'externalId']);
    expect(text).toMatch(/^Unknown field\. /);
    expect(text).toContain(known);
  });

  it('names one field if one is near, and all otherwise', () => {
    expect(describeUnknown('field', 'titel', ['title', 'cause'])).toBe('Unknown field. Did you mean title?');
    expect(describeUnknown('field', 'colour', ['title', 'cause'])).toBe(
      'Unknown field. Known fields are title, cause.',
    );
    expect(describeUnknown('query parameter', 'x', [])).toBe('Unknown query parameter. None are allowed here.');
  });
});

describe('toIssues', () => {
  const issuesOf = (input: unknown) => {
    const { error } = CreateMonitorInput.safeParse(input);
    return error ? toIssues(error as z.core.$ZodError) : [];
  };
  const good = { type: 'http', name: 'Shop', config: { url: 'https://shop.example' } };

  it('compares no long name with the known ones, and cuts it', () => {
    const [issue] = issuesOf({ ...good, ['x'.repeat(1024 * 1024)]: 1 });
    expect(issue?.path).toBe(`${'x'.repeat(100)}…`);
    expect(issue?.message).toMatch(/^Unknown field\. Known fields are /);
    expect(JSON.stringify(issue).length).toBeLessThan(1000);
  });

  it('returns one issue per unknown field, at each level', () => {
    expect(issuesOf({ ...good, interval: 5, tag: 'x' })).toEqual([
      { path: 'interval', message: 'Unknown field. Did you mean intervalSeconds?' },
      { path: 'tag', message: 'Unknown field. Did you mean tags?' },
    ]);
    expect(issuesOf({ ...good, config: { ...good.config, timeout: 5 } })).toEqual([
      { path: 'config.timeout', message: 'Unknown field. Did you mean timeoutMs?' },
    ]);
    const auth = { kind: 'bearer', token: 'x', tokn: 'y' };
    expect(issuesOf({ ...good, config: { ...good.config, auth } })).toEqual([
      { path: 'config.auth.tokn', message: 'Unknown field. Did you mean token?' },
    ]);
  });

  it('names the first 20 of many unknown fields, and at most 100 issues in total', () => {
    const unknown = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`k${index}`, 1]));
    expect(issuesOf({ ...good, ...unknown })).toHaveLength(20);
    const headers = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, '\n']));
    expect(issuesOf({ ...good, config: { ...good.config, headers } })).toHaveLength(100);
  });

  it('accepts known fields', () => {
    expect(issuesOf({ ...good, intervalSeconds: 60, isActive: 1 })).toEqual([]);
  });
});
