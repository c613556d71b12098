import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { loadEnvFile } from '@/scripts/lib/env-file.mjs';

describe('loadEnvFile', () => {
  afterEach(() => {
    delete process.env.ENV_FILE_TEST;
  });

  const fileWith = (text: string) => {
    const file = join(mkdtempSync(join(tmpdir(), 'upwatch-env-')), '.env');
    writeFileSync(file, text);
    return file;
  };

  it('reads a variable from the file', () => {
    loadEnvFile(fileWith('ENV_FILE_TEST="from the file"\n'));
    expect(process.env.ENV_FILE_TEST).toBe('from the file');
  });

  it('keeps a variable that is already set', () => {
    process.env.ENV_FILE_TEST = 'from the environment';
    loadEnvFile(fileWith('ENV_FILE_TEST=file\n'));
    expect(process.env.ENV_FILE_TEST).toBe('from the environment');
  });

  it('does nothing without a file', () => {
    expect(() => loadEnvFile(join(tmpdir(), 'upwatch-no-such-file'))).not.toThrow();
  });
});

describe('.env.example', () => {
  it('lists the variables of the README', () => {
    const rows = readFileSync('README.md', 'utf8').match(/^\| `[A-Z][A-Z0-9_]+`.*$/gm) ?? [];
    const documented = rows.flatMap((row) => row.split(' | ', 1)[0]?.match(/[A-Z][A-Z0-9_]+/g) ?? []);
    const listed = readFileSync('.env.example', 'utf8').match(/^# [A-Z0-9_]+(?==)/gm) ?? [];
    expect(listed.map((line) => line.slice(2)).toSorted()).toEqual(documented.toSorted());
  });
});
