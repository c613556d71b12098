// @ts-check
// npm run build: installs and builds what npm start would, for an image. Needs no database.
import { fileURLToPath } from 'node:url';
import { assertNode } from './lib/install.mjs';
import { chooseFormat } from './lib/notes.mjs';
import { alone, bundles, dependencies, settings, web } from './lib/prepare.mjs';
import { runProduct } from './lib/product.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
chooseFormat(process.env.LOG_FORMAT);

await runProduct(async () => {
  assertNode();
  await alone(async () => {
    await dependencies();
    await settings();
    await bundles();
    await web();
  });
});
