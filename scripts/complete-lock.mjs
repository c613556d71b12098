// @ts-check
// node scripts/complete-lock.mjs: adds the optional packages of other platforms that npm left out of package-lock.json. npm omits them if its
// registry does not carry them, and then rejects its own lock (npm ci).
import { readFileSync, writeFileSync } from 'node:fs';

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const PROCESSORS = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

/** @typedef {{ version?: string, optional?: boolean, dev?: boolean, devOptional?: boolean, optionalDependencies?: Record<string, string> }} Entry */

/**
 * Returns the missing optional packages of a lock, by their path.
 * @param {Record<string, Entry>} packages
 * @returns {Record<string, object>}
 */
export function missingPlatforms(packages) {
  /** @type {Record<string, object>} */
  const missing = {};
  for (const [path, entry] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const place = placesOf(path, name).find((candidate) => packages[candidate]?.version === version);
      if (place || !/^\d/.test(version)) continue;
      missing[newPlaceOf({ ...packages, ...missing }, path, name)] = platformEntry(name, version, entry);
    }
  }
  return missing;
}

/**
 * Returns the paths at which Node looks for `name` from the package at `path`, nearest first.
 * @param {string} path
 * @param {string} name
 */
function placesOf(path, name) {
  const places = [];
  for (let folder = path; folder; folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))) {
    places.push(`${folder}/node_modules/${name}`);
  }
  return [...places, `node_modules/${name}`];
}

/**
 * Returns where to add a package: at the top level, unless another version is there.
 * @param {Record<string, Entry>} packages
 * @param {string} path
 * @param {string} name
 */
function newPlaceOf(packages, path, name) {
  return packages[`node_modules/${name}`] ? `${path}/node_modules/${name}` : `node_modules/${name}`;
}

/**
 * @param {string} name
 * @param {string} version
 * @param {Entry} parent
 */
function platformEntry(name, version, { dev, devOptional }) {
  const words = name.split(/[-/.]/);
  const os = SYSTEMS.filter((system) => words.includes(system));
  const cpu = PROCESSORS.filter((processor) => words.includes(processor));
  if (cpu.length === 0)
    throw new Error(`${name} is optional, but its name contains no platform: add it to the lock by hand.`);
  return {
    version,
    cpu,
    ...(dev && { dev }),
    ...(devOptional && { devOptional }),
    optional: true,
    ...(os.length > 0 && { os }),
  };
}

if (process.argv[1] === import.meta.filename) {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const missing = missingPlatforms(lock.packages);
  const entries = Object.entries({ ...lock.packages, ...missing }).sort(([a], [b]) => a.localeCompare(b, 'en'));
  writeFileSync(
    'package-lock.json',
    `${JSON.stringify({ ...lock, packages: Object.fromEntries(entries) }, null, 2)}\n`,
  );
  console.log(`Added ${Object.keys(missing).length} packages of other platforms.`);
}
