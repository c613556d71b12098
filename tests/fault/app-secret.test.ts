import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '@/scripts/lib/ports.mjs';
import { launch, newDataDir, type Product, startProduct } from '@/tests/support/product';

const OTHER = 'the secret of another machine, of many characters';

let product: Product;

beforeAll(async () => {
  product = await startProduct();
});
afterAll(async () => {
  await product?.stop();
});

/** A second machine's start on the same database. Returns its exit code, its last line and the files in its DATA_DIR. */
async function startSecond(settings: Record<string, string>) {
  const DATA_DIR = await newDataDir();
  onTestFinished(() => rm(DATA_DIR, { recursive: true, force: true }));
  const DATABASE_URL = product.childEnv.DATABASE_URL ?? '';
  const launched = launch({ DATABASE_URL, DATA_DIR, PORT: String(await freePort()), ...settings });
  const code = await launched.exited;
  return { code, line: launched.logs().trim().split('\n').at(-1), left: readdirSync(DATA_DIR) };
}

describe('start with a database of another APP_SECRET', () => {
  it('fails in one line without a secret, and creates none', async () => {
    const { code, line, left } = await startSecond({});
    expect({ code, line, left }).toEqual({
      code: 1,
      line: expect.stringMatching(/^APP_SECRET is missing: set it to the secret that this database was set up with/),
      left: [],
    });
  });

  it('fails in one line with another secret', async () => {
    const { code, line } = await startSecond({ APP_SECRET: OTHER });
    expect([code, line]).toEqual([1, expect.stringMatching(/^APP_SECRET is not the secret that this database/)]);
  });
});

describe.each(['.build/worker.mjs', 'scripts/web.mjs'])('%s alone', (file) => {
  it.each([
    [{ APP_SECRET: OTHER }, /^APP_SECRET is not the secret that this database was set up with/],
    [{ APP_SECRET: '' }, /^APP_SECRET is not set/],
  ])('fails in one line with %o', async (settings, expected) => {
    const env = { PATH: process.env.PATH, ...product.childEnv, PORT: String(await freePort()), ...settings };
    const child = spawn(process.execPath, [file], { env: { ...env, NODE_ENV: 'production' }, stdio: 'pipe' });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk));
    const code = await new Promise((resolve) => child.once('close', resolve));
    const lines = output.trim().split('\n');
    expect({ code, lines }).toMatchObject({ code: 1, lines: [expect.anything()] });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'fatal', msg: expect.stringMatching(expected) });
  });
});
