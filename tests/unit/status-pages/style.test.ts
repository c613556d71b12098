import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** The style sheet of the public pages with its imports. */
const css = ['app/tokens.css', 'app/states.css', 'app/status/status.css']
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');

// An undefined variable invalidates its whole declaration, such as the font of the page.
it('defines every variable that the style sheet uses without a fallback', () => {
  const used = [...css.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name);
  const defined = new Set([...css.matchAll(/(--[\w-]+)\s*:/g)].map(([, name]) => name));
  expect(used.filter((name) => !defined.has(name as string))).toEqual([]);
});
