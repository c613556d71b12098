import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { chmod, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BASELINE } from '@/server/platform/database/baseline';
import { COMPATIBILITY } from '@/server/platform/database/compatibility';

const git = (...args: string[]) =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
const succeeds = (...args: string[]) => spawnSync('git', args, { stdio: 'ignore' }).status === 0;

/** Returns the tag of the latest release before HEAD, such as v1.2.0; without a release, the commit that added the baseline migration. */
function findCommit(): string {
  const tags = git('tag', '--merged', 'HEAD', '--no-contains', 'HEAD', '--sort=-version:refname', '--list', 'v*');
  const [release] = tags.split('\n');
  return (
    release || git('log', '-1', '--no-renames', '--diff-filter=A', '--format=%H', '--', `prisma/migrations/${BASELINE}`)
  );
}

/** The version that processes run while this one migrates the database beneath them, or why there is nothing to try. */
export function previousVersion(): { commit: string } | { why: string } {
  if (!succeeds('rev-parse', '--verify', 'HEAD')) return { why: 'this directory is no clone' };
  if (git('rev-parse', '--is-shallow-repository') === 'true') return { why: 'the clone is shallow' };
  const commit = findCommit();
  if (commit === '') return { why: 'the baseline is not committed' };
  if (succeeds('diff', '--quiet', commit, '--', 'prisma/migrations'))
    return { why: `no migration was added since ${commit}` };
  const source = git('show', `${commit}:server/platform/database/compatibility.ts`);
  if (Number(/COMPATIBILITY = (\d+)/.exec(source)?.[1]) < COMPATIBILITY) {
    return {
      why: `compatibility version ${COMPATIBILITY} ends the processes of ${commit}, which older-version.test.ts tries`,
    };
  }
  return { commit };
}

/** A checkout of a commit in a temporary folder, with the installed packages if it needs the same ones. Its start script builds it. */
export async function checkOut(commit: string): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'upwatch-previous-'));
  await chmod(folder, 0o755);
  const archive = join(folder, 'archive.tar');
  git('archive', `--output=${archive}`, commit);
  execFileSync('tar', ['-xf', archive, '-C', folder]);
  await rm(archive);
  const locks = await Promise.all(['.', folder].map((root) => readFile(join(root, 'package-lock.json'), 'utf8')));
  if (locks[0] === locks[1]) {
    // Hard links, where the temporary folder is on the same file system.
    const copies = (flags: string) =>
      spawnSync('cp', [flags, 'node_modules', folder], { stdio: 'ignore' }).status === 0;
    if (!copies('-al')) copies('-a');
  }
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
