// @ts-check
// npm run mails [-- --shots]: writes every kind of mail and a page that shows them all. With --shots, takes screenshots in a light and a dark scheme
// and at 320 px.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { register } from 'tsx/esm/api';
import { findBrowser } from './lib/browser.mjs';
import { BUILD } from './lib/build/stamps.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
process.env.APP_SECRET ??= 'for links of examples only, of sixty-four characters or thereabouts';
process.env.APP_URL ??= 'https://up.northwind.example';

const folder = resolve(BUILD, 'mails');
const sizes = [
  { name: 'light', width: 640, colorScheme: /** @type {const} */ ('light') },
  { name: 'dark', width: 640, colorScheme: /** @type {const} */ ('dark') },
  { name: 'narrow', width: 320, colorScheme: /** @type {const} */ ('light') },
];

/** @typedef {{ file: string, name: string, subject: string, text: string, html: string }} Example */

/** @param {Example[]} mails */
async function photograph(mails) {
  const { chromium } = await import('playwright');
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: ['--no-sandbox'] });
  try {
    for (const { name, width, colorScheme } of sizes) {
      const page = await browser.newPage({ viewport: { width, height: 400 }, colorScheme });
      for (const { file } of mails) {
        await page.goto(pathToFileURL(`${folder}/${file}.html`).href);
        await page.screenshot({ path: `${folder}/${file}-${name}.png`, fullPage: true });
      }
      await page.close();
    }
  } finally {
    await browser.close();
  }
}

/** @param {string} text */
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** @param {Example[]} mails */
const overview = (mails) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Mails of Upwatch</title>
<style>:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:24px}section{margin:0 0 40px}
iframe{border:1px solid;height:560px;max-width:100%}div{display:flex;flex-wrap:wrap;gap:16px}pre{max-width:44ch;max-height:560px;overflow:auto;white-space:pre-wrap;margin:0}</style>
${mails
  .map(
    ({ file, name, subject, text }) =>
      `<section><h2>${name}</h2><p>${escaped(subject)}</p><div><iframe src="${file}.html" width="640" title="${name}"></iframe><iframe src="${file}.html" width="320" title="${name}, 320 px"></iframe><pre>${escaped(text)}</pre></div></section>`,
  )
  .join('\n')}`;

register();
const { exampleMails } = await import('../tests/support/example-mails.ts');
const { composeMail } = await import('../server/platform/mail/compose.ts');
const mails = Object.entries(exampleMails()).map(([name, content]) => {
  return { file: name.replace(/\W+/g, '-'), name, ...composeMail(content) };
});
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const { file, html } of mails) writeFileSync(`${folder}/${file}.html`, html);
writeFileSync(`${folder}/index.html`, overview(mails));
if (process.argv.includes('--shots')) await photograph(mails);
console.log(`Wrote ${mails.length} mails: open ${pathToFileURL(`${folder}/index.html`).href}`);
process.exit();
