// @ts-check
// Loaded into web and worker by the start script (node --import): converts the output of libraries and Node to JSON lines.
import { format } from 'node:util';
import { note } from '../notes.mjs';

const LEVELS = /** @type {const} */ ({ log: 'info', info: 'info', debug: 'info', warn: 'warn', error: 'error' });

/** Next's message about a client that hung up during a request, which is not a server error. */
const HUNG_UP = /^Error: aborted\b[\s\S]*code: 'ECONNRESET'/;

// Colours are for terminals only.
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

for (const [name, level] of Object.entries(LEVELS)) {
  console[/** @type {keyof typeof LEVELS} */ (name)] = (...args) => {
    const text = format(...args)
      .replace(COLOUR, '')
      .trim();
    if (text !== '' && !HUNG_UP.test(text)) note(level, text);
  };
}

// Node would write these itself, in several lines.
process.on('warning', ({ name, message }) => note('warn', `${name}: ${message}`));
process.on('uncaughtException', (error) => {
  note('fatal', error instanceof Error ? (error.stack ?? error.message) : String(error));
  // Another listener decides whether the process continues.
  if (process.listenerCount('uncaughtException') === 1) process.exit(1);
});
