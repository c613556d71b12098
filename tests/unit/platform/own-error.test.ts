import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { AppError } from '@/server/platform/errors';
import { DnsError, NameServersError } from '@/server/platform/net/errors';

/** Loaded by browsers, or pure parts of checks, which may not load server/platform; thrown and caught in one copy. */
const IN_ONE_COPY = new Set([
  'monitor-types/http/readable.ts',
  'monitor-types/multistep/template.ts',
  'notifications/templates/template.ts',
]);

describe('OwnError', () => {
  it('makes instanceof true for an error of another copy of its module', async () => {
    vi.resetModules();
    const other = await import('@/server/platform/errors');
    expect(other.AppError).not.toBe(AppError);
    const error = new other.AppError('NOT_FOUND', 'There is no such monitor.');
    expect(error instanceof AppError).toBe(true);
    expect(error.name).toBe('AppError');
  });

  it('keeps the order of classes', () => {
    const error = new NameServersError();
    expect(error instanceof DnsError).toBe(true);
    expect(new DnsError('ENOTFOUND', 'No address') instanceof NameServersError).toBe(false);
    for (const other of [
      new Error('Another'),
      null,
      'text',
      { kind: 'AppError' },
      { constructor: { kind: 'AppError' } },
    ]) {
      expect(other instanceof AppError).toBe(false);
    }
  });

  it('is the base of every exported error class of server/, each with its own kind', () => {
    const files = readdirSync('server', { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !IN_ONE_COPY.has(file),
    );
    const kinds = files.flatMap((file) => {
      const code = readFileSync(join('server', file), 'utf8');
      return [...code.matchAll(/^export class (\w+) extends (\w+).*\n(.*)$/gm)].flatMap(
        ([, name, base = '', next = '']) => {
          if (!/Error$|Failure$/.test(base)) return [];
          return [
            `${file}: ${name} extends ${base === 'Error' ? 'Error' : 'ours'} ${/ kind: string = '(\w+)'/.exec(next)?.[1]}`,
          ];
        },
      );
    });
    expect(kinds.length).toBeGreaterThan(15);
    expect(kinds.filter((line) => !/: (\w+) extends ours \1$/.test(line))).toEqual([]);
    expect(new Set(kinds.map((line) => line.split(' ').at(-1))).size).toBe(kinds.length);
  });
});
