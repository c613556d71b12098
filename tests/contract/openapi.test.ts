import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { openApiDocument } from '@/server/api/openapi/document';
import { operationDocs } from '@/server/api/openapi/operation-docs';
import { parameterDocs } from '@/server/api/openapi/parameter-docs';
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

/** Writes a document to a file and passes its path to `use`. */
async function asFile<Result>(text: string, use: (file: string, folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'upwatch-openapi-'));
  try {
    const file = join(folder, 'openapi.json');
    writeFileSync(file, text);
    return await use(file, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs a linter's command and returns its output. A linter with findings exits with an error. */
async function run(cwd: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' };
  const options = { cwd, env, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(process.execPath, args, options).catch(
    (error: { stdout: string }) => error,
  );
  return stdout;
}

/** The findings of Redocly's recommended rules. */
function lint(text: string): Promise<Problem[]> {
  return asFile(text, async (file, folder) => {
    const redocly = resolve('node_modules/@redocly/cli/bin/cli.js');
    const stdout = await run(folder, redocly, 'lint', file, '--extends=recommended-strict', '--format=json');
    return JSON.parse(stdout.slice(stdout.indexOf('{'))).problems;
  });
}

/** The findings of Spectral's OpenAPI rules: rule and location. */
function lintWithSpectral(text: string): Promise<string[]> {
  return asFile(text, async (file, folder) => {
    const ruleset = join(folder, 'ruleset.json');
    writeFileSync(ruleset, JSON.stringify({ extends: ['spectral:oas'] }));
    const spectral = resolve('node_modules/@stoplight/spectral-cli/dist/index.js');
    const stdout = await run(folder, spectral, 'lint', file, '--ruleset', ruleset, '--format=json', '--quiet');
    const found = JSON.parse(stdout.slice(stdout.indexOf('['))) as { code: string; message: string; path: string[] }[];
    return found.map(({ code, message, path }) => `${code} at ${path.join('.')}: ${message}`);
  });
}

/** Every value of a keyword in the document, with its location. */
function findAll(keyword: string, value: unknown, path = ''): [path: string, found: unknown][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(key === keyword && typeof inner !== 'object' ? [[path, inner] as [string, unknown]] : []),
    ...findAll(keyword, inner, `${path}/${key}`),
  ]);
}

describe('the OpenAPI document', () => {
  it('passes the strict Redocly rules', async () => {
    const problems = await lint(JSON.stringify(document));
    // Two paths that are only ambiguous for a monitor with the ID "by-external-id", which no ID can be.
    const left = problems.filter(
      ({ ruleId, message }) => ruleId !== 'no-ambiguous-paths' || !message.includes('/by-external-id/{externalId}'),
    );
    expect(left).toEqual([]);
  });

  it("passes Spectral's rules for OpenAPI", { timeout: 120_000 }, async () => {
    expect(await lintWithSpectral(JSON.stringify(document))).toEqual([]);
    // Only one path, because linting the whole document takes half a minute.
    const paths = Object.fromEntries(Object.entries(document.paths).slice(0, 1));
    const problems = await lintWithSpectral(JSON.stringify({ ...document, paths, tags: [] }));
    expect(problems.join('\n')).toContain('operation-tag-defined');
  });

  it('has patterns with the same meaning in JavaScript, Python, Java and Go', () => {
    const patterns = new Set(findAll('pattern', document).map(([, pattern]) => String(pattern)));
    expect(patterns.size).toBeGreaterThan(5);
    for (const pattern of patterns) {
      // Escapes that only some engines support, and syntax that Java reads as set operations.
      expect(pattern).not.toMatch(/\\[^dDwWsSbBxnrtfv\W]|&&/);
      // Linear-time engines have no look-around, backreferences or possessive quantifiers.
      expect(() => RE2JS.compile(pattern)).not.toThrow();
    }
  });

  it('fails those rules if it is invalid', async () => {
    const [problem] = await lint(JSON.stringify({ ...document, info: { title: 'Upwatch' } }));
    expect(problem?.ruleId).toBeTruthy();
  });

  it('has every operation, and nothing else', () => {
    const address = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
    const texts = ['GET /api/v1/metrics'];
    expect(described.map(address).sort()).toEqual([...operations.map(address), ...texts].sort());
    expect(new Set(Object.keys(operationDocs))).toEqual(new Set(operations.map(({ name }) => name)));
  });

  it('has unique IDs', () => {
    const ids = described.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('describes every parameter', () => {
    const parameters = described.flatMap(({ operation }) => operation.parameters ?? []);
    const named = parameters.flatMap((parameter) => ('name' in parameter ? [parameter] : []));
    for (const { name, description } of named) expect([name, description]).toEqual([name, expect.any(String)]);
    expect(new Set(named.map(({ name }) => name))).toEqual(new Set(Object.keys(parameterDocs)));
  });

  it.each(operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    'has examples for %s that its procedure accepts and returns',
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

  it('selects the config of a monitor by its type', () => {
    const schema = document.components.schemas.Monitor;
    expect(Object.keys(schema?.discriminator?.mapping ?? {})).toEqual(expect.arrayContaining(['http', 'tcp']));
    expect(document.components.schemas.HttpMonitor?.properties?.config).toEqual({
      $ref: '#/components/schemas/HttpConfig',
    });
    expect(document.paths['/api/v1/monitors']?.post?.requestBody?.content['application/json']?.schema).toMatchObject({
      discriminator: { propertyName: 'type' },
    });
  });

  it('names the credentials of each auth surface', () => {
    const security = (path: string, method: string) => document.paths[path]?.[method]?.security;
    expect(security('/api/v1/monitors', 'post')).toEqual([{ apiKey: [] }, { accessToken: [] }]);
    expect(document.paths['/api/v1/monitors']?.post?.['x-required-scope']).toBe('monitors:write');
    const person = [{ accessToken: [] }, { session: [] }, { secureSession: [] }];
    expect(security('/dashboard/monitors', 'post')).toEqual(person);
    const { session, secureSession } = document.components.securitySchemes as Record<string, { name: string }>;
    expect([session?.name, secureSession?.name]).toEqual(['upwatch.session', '__Secure-upwatch.session']);
    expect(security('/auth/login', 'post')).toEqual([]);
  });
});

describe('GET /api/v1/openapi.json', () => {
  const path = '/api/v1/openapi.json';

  it('answers anyone, and answers a conditional request with 304', async () => {
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
