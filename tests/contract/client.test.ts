import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '@/scripts/lib/ports.mjs';
import { openApiDocument } from '@/server/api/openapi/document';
import { handleRest } from '@/server/api/rest/handle';

// A client generated from the document with public tools: openapi-typescript and openapi-fetch.

/** Imported by a variable path, because TypeScript would not find the generated types before they are generated. */
interface Client {
  mainJob(
    baseUrl: string,
    send: (request: Request) => Promise<Response>,
    given: { email: string; url: string },
  ): Promise<Record<'target' | 'check' | 'incident' | 'messages' | 'listed', unknown>>;
}

const folder = resolve('tests/contract/client');
const generated = join(folder, 'generated');
const run = (...args: string[]) => promisify(execFile)(process.execPath, args);

beforeAll(async () => {
  rmSync(generated, { recursive: true, force: true });
  mkdirSync(generated);
  const document = join(generated, 'openapi.json');
  writeFileSync(document, JSON.stringify(openApiDocument()));
  const hook = join(folder, 'typescript-5.mjs');
  const generator = resolve('node_modules/openapi-typescript/bin/cli.js');
  // No declaration file and no options: the compiler would skip checking the former, and readers of the document do not know ours.
  await run('--import', hook, generator, document, '-o', join(generated, 'schema.ts'));
});

/** The compiler's output for the client's folder; empty if there are no errors. */
async function typeCheck(): Promise<string> {
  const compiler = resolve('node_modules/typescript/bin/tsc');
  return run(compiler, '--noEmit', '-p', folder).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
}

describe('generated client', () => {
  it('type-checks, and reports wrong types', async () => {
    expect(await typeCheck()).toBe('');
    const wrong = join(generated, 'wrong.ts');
    writeFileSync(
      wrong,
      `import createClient from 'openapi-fetch';
import type { paths } from './schema';
const client = createClient<paths>();
client.POST('/api/v1/monitors', { body: { type: 'tcp', name: 'Shop', config: { url: 'https://shop.example' } } });
client.GET('/api/v1/monitors', { params: { query: { limit: 'ten' } } });
client.DELETE('/api/v1/incidents');
`,
    );
    const found = await typeCheck();
    rmSync(wrong);
    expect([...found.matchAll(/wrong\.ts\((\d+),/g)].map(([, line]) => line)).toEqual(
      expect.arrayContaining(['4', '5', '6']),
    );
  });

  it('runs the main use case', async () => {
    const { mainJob } = (await import(join(folder, 'main-job.ts'))) as Client;
    const url = `http://127.0.0.1:${await freePort()}/`;
    const done = await mainJob('http://127.0.0.1:3000', handleRest, { email: 'script@example.test', url });
    expect(done.target).toBe(url);
    expect(done.check).toMatchObject({ status: 'down', error: 'Connection refused' });
    expect(done.incident).toMatchObject({ status: 'resolved', type: 'downtime', title: 'Shop is down' });
    expect(done.messages).toEqual(expect.arrayContaining(['Connection refused', 'We look at it.']));
    expect(done.messages).toContain('The monitor is still down. If the next check fails, a new incident opens.');
    expect(done.messages).toHaveLength(5);
    expect(done.listed).toHaveLength(1);
  });
});
