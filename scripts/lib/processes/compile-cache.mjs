// @ts-check
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/**
 * Returns the environment for Node's compile cache (22.1 or newer; others ignore it): what one start has compiled, the next one reads. The cache
 * belongs to one build and is deleted with it. Without a place to write to, everything is compiled anew.
 * @param {string} dataDir
 * @param {{ build: string | null, env: NodeJS.ProcessEnv }} options `build` is the ID of the web application's build
 * @returns {{ NODE_COMPILE_CACHE?: string }}
 */
export function compileCache(dataDir, { build, env }) {
  if (build === null || env.NODE_COMPILE_CACHE || env.NODE_DISABLE_COMPILE_CACHE) return {};
  const folder = join(dataDir, 'compile-cache');
  const mark = join(folder, 'build');
  try {
    if (read(mark) !== build) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { mode: 0o700 });
      writeFileSync(mark, build);
    }
    return { NODE_COMPILE_CACHE: folder };
  } catch {
    return {};
  }
}

/** Reads the ID of the build in this directory; null if there is none. */
export const buildId = () => read('.next/BUILD_ID');
