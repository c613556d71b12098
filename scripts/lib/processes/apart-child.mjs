// @ts-check
// The child process of apart.mjs: makes one call, sends its result, and exits.
import { chooseFormat } from '../notes.mjs';
import { oneLine, Refusal } from '../steps.mjs';

const [file = '', name = ''] = process.argv.slice(2);

// Without the parent, the result is not needed.
process.once('disconnect', () => process.exit(1));

/** @param {unknown} error @returns {import('./apart.mjs').Answer} */
function failed(error) {
  if (error instanceof Refusal) return { refusal: error.message, details: error.details };
  const { code, stack } = /** @type {{ code?: unknown, stack?: string }} */ (error ?? {});
  return { failure: oneLine(error), ...(typeof code === 'string' && { code }), ...(stack && { stack }) };
}

process.once('message', async (/** @type {{ args: unknown[], isJson: boolean }} */ { args, isJson }) => {
  chooseFormat(isJson ? 'json' : 'text');
  /** @type {import('./apart.mjs').Answer} */
  let answer;
  try {
    const module = await import(new URL(`../${file}`, import.meta.url).href);
    answer = { result: await module[name](...args) };
  } catch (error) {
    answer = failed(error);
  }
  process.send?.(answer, () => process.exit());
});
