// @ts-check
// A public status page with 50 components next to a static file of the same size, and what a browser loads for it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTeam } from './data.mjs';
import { compare, printTable } from './measure.mjs';
import { startProduct } from './product.mjs';
import { seedPage } from './status-page/seed.mjs';

const FILE = 'static file';
const accept = { 'accept-encoding': 'br' };

/**
 * Requests a URL, and returns the response as sent.
 * @param {string} url
 * @returns {Promise<{ etag: string, body: Buffer }>}
 */
async function fetchRaw(url) {
  /** @type {[import('node:http').IncomingMessage]} */
  const [response] = /** @type {any} */ (await once(get(url, { headers: accept }), 'response'));
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}`);
  return { etag: response.headers.etag ?? '', body: Buffer.concat(await response.toArray()) };
}

/** @param {string} file */
async function startStatic(file) {
  const child = spawn(process.execPath, [fileURLToPath(new URL('status-page/static.mjs', import.meta.url)), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(child.stdout, 'data');
  return { url: `http://127.0.0.1:${String(port).trim()}/`, stop: () => child.kill() };
}

/** @param {string} url of the page @param {Buffer} html as it travels */
async function printSizes(url, html) {
  const text = await (await fetch(url)).text();
  const [script, style, font] = [/src="([^"]+\.js)"/, /href="([^"]+\.css)"/, /href="([^"]+\.woff2)"/].map(
    (pattern) => pattern.exec(text)?.[1] ?? '',
  );
  const bytes = async (/** @type {string | undefined} */ path) =>
    (await fetchRaw(new URL(path ?? '', url).href)).body.length;
  const kb = (/** @type {number} */ count) => `${(count / 1000).toFixed(1)} KB`;
  console.log(
    `HTML ${kb(html.length)} (${kb(Buffer.byteLength(text))} uncompressed), script ${kb(await bytes(script))},`,
  );
  console.log(`style ${kb(await bytes(style))}, font ${kb(await bytes(font))}, as they travel`);
}

/** Measures views in turns with a static file of the same size. */
export async function run() {
  const product = await startProduct();
  const folder = mkdtempSync(join(tmpdir(), 'upwatch-bench-static-'));
  try {
    const { teamId } = await createTeam(product.url);
    const url = `${product.url}/status/${await seedPage(product.databaseUrl, teamId)}`;
    const { body, etag } = await fetchRaw(url);
    await printSizes(url, body);
    const file = join(folder, 'page.html.br');
    writeFileSync(file, body);
    const fixed = await startStatic(file);
    try {
      const figures = await compare(
        { url: fixed.url, headers: accept },
        {
          'status page, 50 services': { url, headers: accept },
          'the same, known (304)': { url, headers: { ...accept, 'if-none-match': etag } },
          'its version': { url: `${url}/version`, headers: accept },
        },
      );
      printTable(FILE, figures);
    } finally {
      fixed.stop();
    }
  } finally {
    await product.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
