import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { operationDocs } from '@/server/api/openapi/docs';
import { parameterDocs } from '@/server/api/openapi/docs/parameters';
import { openApiDocument } from '@/server/api/openapi/document';
import { operations } from '@/server/api/rest/operations';
import { rest } from '@/tests/support/rest';

const document = openApiDocument();
const described = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

interface Problem {
  ruleId: string;
  message: string;
  location: { pointer?: string }[];
}

/** What Redocly's recommended rules find in a document. */
async function lint(text: string): Promise<Problem[]> {
  const folder = mkdtempSync(join(tmpdir(), 'upwatch-openapi-'));
  try {
    const file = join(folder, 'openapi.json');
    writeFileSync(file, text);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [resolve('node_modules/@redocly/cli/bin/cli.js'), 'lint', file, '--extends=recommended', '--format=json'],
      {
        cwd: folder,
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' },
        maxBuffer: 64 * 1024 * 1024,
      },
    ).catch((error: { stdout: string }) => error);
    return JSON.parse(stdout.slice(stdout.indexOf('{'))).problems;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the OpenAPI document', () => {
  it('is clean under the recommended rules', async () => {
    const problems = await lint(JSON.stringify(document));
    // Two addresses that only a monitor named "by-external-id" could confuse; no id looks like that.
    const left = problems.filter(
      ({ ruleId, message }) => ruleId !== 'no-ambiguous-paths' || !message.includes('/by-external-id/{externalId}'),
    );
    expect(left).toEqual([]);
  });

  it('is held against rules that find something', async () => {
    const [problem] = await lint(JSON.stringify({ ...document, info: { title: 'Upwatch' } }));
    expect(problem?.ruleId).toBeTruthy();
  });

  it('has every operation, and nothing else', () => {
    const address = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
    expect(described.map(address).sort()).toEqual(operations.map(address).sort());
    expect(Object.keys(operationDocs).sort()).toEqual(operations.map(({ name }) => name).sort());
  });

  it('has unique ids', () => {
    const ids = described.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('says what every parameter is', () => {
    const parameters = described.flatMap(({ operation }) => operation.parameters ?? []);
    const named = parameters.flatMap((parameter) => ('name' in parameter ? [parameter] : []));
    for (const { name, description } of named) expect([name, description]).toEqual([name, expect.any(String)]);
    expect(new Set(named.map(({ name }) => name))).toEqual(new Set(Object.keys(parameterDocs)));
  });

  it.each(operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    '%s has examples that its procedure takes and gives',
    (_name, { name, method, path, procedure, created }) => {
      const doc = operationDocs[name];
      const target = document.paths[path]?.[method.toLowerCase()];
      expect(target?.tags).toHaveLength(1);
      expect(target?.['x-code-samples']?.map(({ label }) => label)).toEqual(['curl', 'JavaScript']);
      const [input] = procedure._def.inputs as z.ZodType[];
      const { output } = procedure._def as unknown as { output: z.ZodType };
      const params = Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, key]) => [key, 'x']));
      expect(output.safeParse(doc?.answer).error).toBeUndefined();
      expect(input?.safeParse({ ...params, ...doc?.params, ...doc?.body }).error).toBeUndefined();
      if (target?.requestBody?.required) expect(doc?.body).toBeDefined();
      expect(Object.keys(target?.responses ?? {})).toContain(created ? '201' : '200');
      expect(created === true && target?.responses['200']).toBeFalsy();
    },
  );

  it('knows the config of a monitor by its type', () => {
    const schema = document.components.schemas.Monitor;
    expect(Object.keys(schema?.discriminator?.mapping ?? {})).toEqual(expect.arrayContaining(['http', 'tcp']));
    expect(document.components.schemas.HttpMonitor?.properties?.config).toEqual({
      $ref: '#/components/schemas/HttpConfig',
    });
    expect(document.paths['/api/v1/monitors']?.post?.requestBody?.content['application/json']?.schema).toMatchObject({
      discriminator: { propertyName: 'type' },
    });
  });

  it('names credentials by door', () => {
    const security = (path: string, method: string) => document.paths[path]?.[method]?.security;
    expect(security('/api/v1/monitors', 'post')).toEqual([{ apiKey: ['write'] }, { accessToken: [] }]);
    expect(security('/dashboard/monitors', 'post')).toEqual([{ accessToken: [] }, { session: [] }]);
    expect(security('/auth/login', 'post')).toEqual([]);
  });
});

describe('GET /api/v1/openapi.json', () => {
  const path = '/api/v1/openapi.json';

  it('answers anyone, and a client that has it with 304', async () => {
    const first = await rest('GET', path);
    expect(first.status).toBe(200);
    expect(first.body).toEqual(JSON.parse(JSON.stringify(document)));
    expect(first.headers.get('access-control-allow-origin')).toBe('*');
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    expect((await rest('GET', path, { headers: { 'if-none-match': `"other", W/${etag}` } })).status).toBe(304);
    expect((await rest('GET', path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  it('answers HEAD and OPTIONS, and nothing else', async () => {
    expect(await rest('HEAD', path)).toMatchObject({ status: 200, body: null });
    const options = await rest('OPTIONS', path);
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
    expect(await rest('POST', path)).toMatchObject({ status: 405, body: { error: { code: 'METHOD_NOT_ALLOWED' } } });
  });
});
