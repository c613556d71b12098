// @ts-check
// npm start: everything from a fresh clone to a running Upwatch; with "web" or "worker", that role alone. This file and its imports use only Node's
// own modules, because nothing else is installed yet.
import { fileURLToPath } from 'node:url';
import { loadEnvFile } from './lib/env-file.mjs';
import { chooseFormat } from './lib/notes.mjs';
import { runProduct } from './lib/product.mjs';
import { isRole, start } from './lib/start.mjs';
import { Refusal } from './lib/steps.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
loadEnvFile();
chooseFormat(process.env.LOG_FORMAT);

await runProduct(async () => {
  const [role = 'all', ...rest] = process.argv.slice(2);
  if (!isRole(role) || rest.length > 0) {
    throw new Refusal(
      'Unknown argument: npm start runs everything, npm run start:web and npm run start:worker run one process.',
    );
  }
  await start(role);
});
