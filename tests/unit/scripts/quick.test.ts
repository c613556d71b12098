import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quickFiles } from '@/scripts/lib/quick.mjs';

const FILES = {
  'server/teams/name.ts': "import '@/server/text/trim';",
  'server/text/trim.ts': '',
  'scripts/lib/notes.mjs': '',
  'tests/unit/teams/name.test.ts': "import '@/server/teams/name';",
  'tests/unit/teams/other.test.tsx': '',
  'tests/unit/text/trim.test.ts': "import '../../../server/text/trim';",
  'tests/unit/scripts/notes.test.ts': '',
  'tests/integration/teams/join.test.ts': "import '@/server/teams/name';",
  'tests/integration/text/stored.test.ts': '',
};
let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'upwatch-quick-'));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
});

afterAll(() => rmSync(root, { recursive: true }));

const choose = (suite: string, changed: string[], durations: { file: string; ms: number }[] = []) =>
  quickFiles(suite, { changed, durations, root });

describe('quickFiles', () => {
  it('chooses unit tests that import a changed file, those of its room, then those that import it through others', () => {
    expect(choose('unit', ['server/text/trim.ts']).files).toEqual([
      'tests/unit/text/trim.test.ts',
      'tests/unit/teams/name.test.ts',
    ]);
    expect(choose('unit', ['server/teams/name.ts']).files).toEqual([
      'tests/unit/teams/name.test.ts',
      'tests/unit/teams/other.test.tsx',
    ]);
    expect(choose('unit', ['scripts/lib/notes.mjs']).files).toEqual(['tests/unit/scripts/notes.test.ts']);
  });

  it('chooses integration tests by direct imports and by room', () => {
    expect(choose('integration', ['server/text/trim.ts']).files).toEqual(['tests/integration/text/stored.test.ts']);
    expect(choose('integration', ['server/teams/name.ts']).files).toEqual(['tests/integration/teams/join.test.ts']);
  });

  it('chooses a changed test and no others of its room', () => {
    expect(choose('unit', ['tests/unit/teams/other.test.tsx']).files).toEqual(['tests/unit/teams/other.test.tsx']);
  });

  it('leaves out a test that took longer than the budget', () => {
    const durations = [{ file: 'tests/unit/teams/name.test.ts', ms: 60_000 }];
    expect(choose('unit', ['server/text/trim.ts'], durations)).toEqual({
      files: ['tests/unit/text/trim.test.ts'],
      leftOut: 1,
    });
  });

  it('chooses nothing for a deleted file, or one that no test imports', () => {
    expect(choose('unit', ['README.md', 'server/gone.ts'])).toEqual({ files: [], leftOut: 0 });
  });
});
