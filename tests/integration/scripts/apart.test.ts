import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { apart } from '@/scripts/lib/processes/apart.mjs';
import { memoryFlags } from '@/scripts/lib/processes/heap.mjs';
import { Refusal } from '@/scripts/lib/steps.mjs';
import { testDatabase } from '@/tests/support/database';

/** The commands of this process's children. */
function children(): string[] {
  return readdirSync('/proc').flatMap((entry) => {
    try {
      const stat = readFileSync(`/proc/${Number(entry)}/stat`, 'utf8');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      return parent === process.pid ? [readFileSync(`/proc/${entry}/cmdline`, 'utf8')] : [];
    } catch {
      return [];
    }
  });
}

describe('start step in its own process', () => {
  it('bundles and leaves no bundler behind', async () => {
    onTestFinished(() => {
      for (const end of ['', '.map']) rmSync(`.build/apart-test.mjs${end}`, { force: true });
    });
    await apart('build/bundle.mjs', 'bundle', { 'apart-test': 'scripts/lib/notes.mjs' });
    expect(readFileSync('.build/apart-test.mjs', 'utf8')).toContain('chooseFormat');
    expect(children().filter((command) => /esbuild|apart/.test(command))).toEqual([]);
  });

  it('returns, and passes on an error and its exit code', async () => {
    await expect(apart('database/ask-database.mjs', 'assertUsable', testDatabase())).resolves.toBeUndefined();
    const nowhere = 'postgres://nobody@127.0.0.1:1/nothing';
    await expect(apart('database/ask-database.mjs', 'assertUsable', nowhere)).rejects.toBeInstanceOf(Refusal);
    const wrong = new URL(testDatabase());
    wrong.password = 'not the password';
    const asking = apart('database/ask-database.mjs', 'ensureDatabase', wrong.href, 'postgres');
    await expect(asking).rejects.toMatchObject({ code: '28P01' });
  });
});

describe('modules loaded at the start', () => {
  it.each(['stripe', 'nodemailer', 'ws', '@upstash/redis', '@aws-sdk/client-s3'])(
    'leave %s to its first use in the worker',
    (library) => {
      const bundle = readFileSync('.build/worker.mjs', 'utf8');
      expect(bundle).toContain(`import("${library}")`);
      expect(bundle).not.toMatch(new RegExp(`^import .*from "${library}"`, 'm'));
    },
  );

  it('leave the heap size limited, unless NODE_OPTIONS sets it', () => {
    expect(memoryFlags('worker', { NODE_ENV: 'production' })).toEqual([
      '--max-old-space-size=768',
      '--max-semi-space-size=4',
    ]);
    expect(memoryFlags('web', { NODE_ENV: 'production', NODE_OPTIONS: '--max_old_space_size=2048' })).toEqual([
      '--max-semi-space-size=4',
    ]);
  });
});
