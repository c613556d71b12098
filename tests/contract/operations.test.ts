import '@/tests/support/stripe/with-stripe';
import { beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '@/server/api/openapi/document';
import type { Document, OperationObject } from '@/server/api/openapi/types';
import { type Operation, operations } from '@/server/api/rest/operations';
import { Scope } from '@/server/trpc/schema';
import { type Answer, type Call, rest } from '@/tests/support/rest';
import { type Row, rows } from './operations/rows';
import { createWorld, keyWith, takesKeys, type World } from './operations/world';

const document: Document = openApiDocument();
let world: World;
beforeAll(async () => {
  world = await createWorld();
});

interface Case {
  name: string;
  operation: Operation;
  described: OperationObject;
  row: Row;
  isApi: boolean;
}

const cases: Case[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([verb, described]) => {
    const method = verb.toUpperCase();
    const name = `${method} ${path}`;
    const row = rows[name];
    const operation = operations.find((each) => each.method === method && each.path === path);
    if (!row || !operation) return [];
    return [{ name, operation, described, row, isApi: takesKeys(operation) }];
  }),
);

const weaker = { owner: 'admin', admin: 'member', member: 'viewer', viewer: null } as const;
const isScope = (text: string | undefined): text is Scope => Scope.safeParse(text).success;
const UNKNOWN = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

function fill(path: string, params: Record<string, string>): string {
  return path.replace(/\{([^}]*)\}/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));
}

/** Sends the working call with these changes; `token: ''` sends no token. */
async function send(
  { operation, row, isApi }: Case,
  changes: Call & { params?: Record<string, string> } = {},
): Promise<Answer> {
  const ready = await row.ready(world);
  const { params = ready.params ?? {}, token = ready.token ?? (isApi ? world.keys.all : world.owner.token) } = changes;
  const { params: _params, token: _token, ...call } = { body: ready.body, ...changes };
  const query = ready.query ? `?${new URLSearchParams(ready.query)}` : '';
  return rest(operation.method, fill(operation.path, params) + query, { ...call, ...(token !== '' && { token }) });
}

/** Expects the error envelope and nothing else, with a code that the document lists for this operation. */
function expectError({ described }: Case, answer: Answer, code: string): void {
  const issues = code === 'VALIDATION_ERROR' ? { issues: expect.any(Array) } : {};
  expect(answer.body).toEqual({ error: { code, message: expect.any(String), status: answer.status, ...issues } });
  const { $ref = '' } = described.responses[String(answer.status)] ?? {};
  expect($ref.split('/').at(-1)?.split('.')).toContain(code);
}

const wrongType = (value: unknown): unknown => {
  if (typeof value === 'string') return 7;
  if (Array.isArray(value)) return 'text';
  return typeof value === 'object' ? [] : String(value);
};

describe('table of operations', () => {
  it('has a row for every operation of the document, and no other', () => {
    const named = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    // Responds with text and is not a procedure; its tests are in tests/integration/api.
    const procedures = named.filter((name) => name !== 'GET /api/v1/metrics');
    expect(procedures).toHaveLength(named.length - 1);
    expect(Object.keys(rows).sort()).toEqual(procedures.sort());
    expect(cases).toHaveLength(procedures.length);
  });
});

describe.each(cases.map((each) => [each.name, each] as const))('%s', (_name, each) => {
  const { operation, row, isApi, described } = each;
  const { access } = operation;
  const takesBody = described.requestBody !== undefined;
  /** A path that does not exist. */
  const creates = operation.created === 'sometimes';

  it('behaves as documented', async () => {
    const answer = await send(each);
    const documented = Object.keys(described.responses).filter((status) => status < '300');
    expect(documented, JSON.stringify(answer.body)).toContain(String(answer.status));
    if (operation.created === 'sometimes') expect(answer.status).toBe(201);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-request-id')).toBeTruthy();
  });

  if (access.kind !== 'public' && access.kind !== 'optional') {
    it('requires a credential', async () => {
      expectError(each, await send(each, { token: '' }), 'UNAUTHENTICATED');
      expectError(each, await send(each, { token: 'uw_unknown' }), 'UNAUTHENTICATED');
      expectError(each, await send(each, { token: 'a.b.c' }), 'UNAUTHENTICATED');
    });

    if (takesBody) {
      it('rejects a missing credential before it reads a body', async () => {
        const json = { 'content-type': 'application/json' };
        const bodies: Call[] = [
          { raw: '{', headers: json },
          { raw: 'a=1', headers: { 'content-type': 'text/plain' } },
          { raw: '{}', headers: { ...json, 'content-length': '2000000' } },
          { body: {} },
        ];
        for (const body of bodies) expectError(each, await send(each, { ...body, token: '' }), 'UNAUTHENTICATED');
      });
    }

    if (isApi) {
      const needed = described['x-required-scope'] ?? '';
      const [resource, action] = needed.split(':');
      const isNamed =
        ['agents:write', 'members:write', 'team:write', 'audit-log:read'].includes(needed) ||
        /^(invitations|api-keys):/.test(needed);
      const allowing = [...new Set([needed, `${resource}:write`, isNamed ? needed : action])].filter((scope) =>
        isScope(scope),
      );

      // Permission is decided before the path and the body are looked at.
      const sendBy = async (scopes: string[]) =>
        rest(operation.method, operation.path.replace(/\{\w+\}/g, UNKNOWN), { token: await keyWith(world, scopes) });

      it('rejects a key with all scopes but those that allow it, and names the missing one', async () => {
        const answer = await sendBy(Scope.options.filter((scope) => !allowing.includes(scope)));
        expectError(each, answer, 'INSUFFICIENT_SCOPE');
        expect(answer.body.error.message).toContain(`"${needed}"`);
      });

      it.each(allowing)('accepts a key with no other scope than %s', async (scope = '') => {
        const { status } = await sendBy([scope]);
        expect([401, 403]).not.toContain(status);
      });
    } else {
      it('takes no key', async () => {
        // At /api/v1 a key is known, but refused where the operation is about a person.
        const refusal = operation.path.startsWith('/api/v1/') ? 'FORBIDDEN' : 'UNAUTHENTICATED';
        expectError(each, await send(each, { token: world.keys.all }), refusal);
      });
    }
  }

  const tooWeak = access.kind === 'team' ? weaker[access.role] : null;
  if (tooWeak) {
    it('requires the role', async () => {
      const { token } = world.colleagues[tooWeak];
      expectError(each, await send(each, { token }), 'FORBIDDEN');
    });
  }

  if (access.kind === 'admin') {
    it('allows administrators alone', async () => {
      expectError(each, await send(each, { token: world.outsider.token }), 'FORBIDDEN');
    });
  }

  if (access.kind === 'team' && operation.path.includes('{') && !creates) {
    it('returns NOT_FOUND for another team', async () => {
      const token = isApi ? world.keys.outsider : world.outsider.token;
      expectError(each, await send(each, { token }), row.unknown ?? 'NOT_FOUND');
    });
  }

  if (operation.path.includes('{') && !creates) {
    it('returns NOT_FOUND for an unknown ID', async () => {
      const [, name = ''] = /\{(\w+)\}/.exec(operation.path) ?? [];
      expectError(each, await send(each, { params: { [name]: UNKNOWN } }), row.unknown ?? 'NOT_FOUND');
    });
  }

  if (operation.path.includes('{')) {
    it('rejects a malformed path', async () => {
      const answer = await rest(operation.method, operation.path.replace(/\{\w+\}/, '%E0%A4'), {
        token: world.keys.all,
      });
      expectError(each, answer, 'VALIDATION_ERROR');
    });
  }

  it('rejects an unknown query parameter', async () => {
    const { params = {} } = await row.ready(world);
    const token = isApi ? world.keys.all : world.owner.token;
    const answer = await rest(operation.method, `${fill(operation.path, params)}?colour=red`, { token });
    expectError(each, answer, 'VALIDATION_ERROR');
    expect(answer.body.error.issues).toEqual([{ path: 'colour', message: expect.stringMatching(/^Unknown /) }]);
    const named = answer.body.error.issues[0].message.match(/\w+/g);
    for (const [, inPath] of operation.path.matchAll(/\{(\w+)\}/g)) expect(named).not.toContain(inPath);
  });

  if (operation.method !== 'GET') {
    it('rejects an unknown field of the body', async () => {
      const { body = {} } = await row.ready(world);
      const answer = await send(each, { body: { ...body, colour: 'red' } });
      expectError(each, answer, 'VALIDATION_ERROR');
      expect(answer.body.error.issues).toEqual([{ path: 'colour', message: expect.stringMatching(/^Unknown /) }]);
    });
  }

  if (takesBody) {
    it('rejects a malformed body, and one that is no object', async () => {
      const headers = { 'content-type': 'application/json' };
      for (const raw of ['{', 'null', '[]', '"text"', '{"a":1,}', '\u0000']) {
        expectError(each, await send(each, { raw, headers }), 'VALIDATION_ERROR');
      }
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      expectError(each, await send(each, { raw: 'a=1', headers: form }), 'UNSUPPORTED_MEDIA_TYPE');
    });

    it('rejects wrong types, field by field', async () => {
      const { body = {} } = await row.ready(world);
      expect(Object.keys(body)).not.toHaveLength(0);
      for (const [field, value] of Object.entries(body)) {
        const answer = await send(each, { body: { ...body, [field]: wrongType(value) } });
        expectError(each, answer, 'VALIDATION_ERROR');
        expect(answer.body.error.issues[0].path).toMatch(new RegExp(`^${field}`));
      }
    });
  } else if (operation.method === 'GET' && described.parameters?.some((one) => 'name' in one && one.name === 'limit')) {
    it('rejects a query parameter of the wrong type', async () => {
      const { params = {} } = await row.ready(world);
      const token = isApi ? world.keys.all : world.owner.token;
      for (const query of ['limit=x', 'limit=0', 'limit=101', 'limit=1&limit=2']) {
        const answer = await rest('GET', `${fill(operation.path, params)}?${query}`, { token });
        expectError(each, answer, 'VALIDATION_ERROR');
      }
    });

    it('rejects an unknown cursor', async () => {
      const { params = {} } = await row.ready(world);
      const token = isApi ? world.keys.all : world.owner.token;
      const time = new Date().toISOString();
      const ofOverview = (...parts: string[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
      const cursors = ['zzz', '', '0', UNKNOWN.toLowerCase(), `8${UNKNOWN.slice(1)}`, `${UNKNOWN} `, `${time}_ZZZ`];
      cursors.push(`${time}_${UNKNOWN}_${UNKNOWN}`, 'x'.repeat(500), ofOverview('up', 'Shop', 'zzz'), ofOverview('up'));
      for (const cursor of cursors) {
        const query = `cursor=${encodeURIComponent(cursor)}`;
        const answer = await rest('GET', `${fill(operation.path, params)}?${query}`, { token });
        expectError(each, answer, 'VALIDATION_ERROR');
        expect([cursor, answer.body.error.issues[0].path]).toEqual([cursor, 'cursor']);
      }
    });
  }

  if (operation.method !== 'GET') {
    it('rejects a body that is too large', async () => {
      const raw = JSON.stringify({ name: 'x'.repeat(1024 * 1024) });
      const headers = { 'content-type': 'application/json' };
      expectError(each, await send(each, { raw, headers }), 'PAYLOAD_TOO_LARGE');
    });
  }
});
