import { describe, expect, it } from 'vitest';
import { safeNext } from '@/app/_trpc/safe-next';

describe('safeNext', () => {
  it.each(['/incidents/01K?tab=checks', '/monitors', '/channels#new', '/monitors?q=a%2Fb'])('keeps %s', (next) => {
    expect(safeNext(next)).toBe(next);
  });

  it.each([
    null,
    undefined,
    '',
    'monitors',
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/./\\evil.example',
    '/..//evil.example',
    '/.//evil.example',
    '/%09/evil.example\t',
    '/\t/evil.example',
    '/\n/evil.example',
    'javascript:alert(1)',
    `/${'a'.repeat(3000)}`,
  ])('rejects %j', (next) => {
    const target = safeNext(next);
    expect(target).toBe('/monitors');
  });

  it('always returns a path of this site', () => {
    for (const tail of ['//a', '/\\a', '\\/a', '@a', ':a', '/../..//a', '/%2f%2fa', '/;//a', '?//a', '#//a']) {
      for (const start of ['', '/', '/x', '/.', '/..']) {
        const url = new URL(safeNext(start + tail), 'https://upwatch.example');
        expect(url.origin).toBe('https://upwatch.example');
      }
    }
  });
});
