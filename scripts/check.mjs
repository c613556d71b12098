// @ts-check
// npm run check: format, lint, types, imports and dead code, in seconds and without a database.
import { fileURLToPath } from 'node:url';
import { check } from './lib/checks.mjs';
import { runMain } from './lib/steps.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
await runMain(() => check());
