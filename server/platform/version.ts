/** Written by `buildBundles` (scripts/lib/build/build.mjs). The path is relative to the project's root, where every process of the product runs. */
const FILE = './.build/version';

function read(): string {
  try {
    // Not imported by name, because Next would then bundle the file as part of its own build.
    return process.getBuiltinModule('node:fs').readFileSync(FILE, 'utf8').trim();
  } catch {
    return 'development';
  }
}

/** The version of package.json with a fingerprint of the sources (SemVer 2.0.0, section 10); "development" without a build. */
export const version: string = read();
