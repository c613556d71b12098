// @ts-check
// npm run admin -- <command>: the same as `upwatch admin`.
import { fileURLToPath } from 'node:url';
import { admin } from './lib/commands.mjs';
import { loadEnvFile } from './lib/env-file.mjs';
import { runMain } from './lib/steps.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
loadEnvFile();

await runMain(() => admin(process.argv.slice(2)));
