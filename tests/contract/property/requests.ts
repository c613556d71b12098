import fc from 'fast-check';
import { operationDocs } from '@/server/api/openapi/operation-docs';
import { type Operation, operations } from '@/server/api/rest/operations';

/** One generated request. */
export interface Generated {
  method: string;
  path: string;
  credential: Credential;
  headers: Record<string, string>;
  body: Uint8Array | string | null;
}

export const credentials = ['owner', 'key', 'reading', 'viewer', 'outsider', 'none', 'garbage'] as const;
export type Credential = (typeof credentials)[number];

const json = { 'content-type': 'application/json' };
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const QUERY = ['limit', 'cursor', 'status', 'range', 'query', 'action', 'target', 'monitorId', 'id', '__proto__'];

const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', ' ', '.', '..', '%00', '\u0000', '\ud800', '%', 'null', 'true', '-1', '1e999', 'constructor'),
);
const oddValue = fc.oneof(
  { weight: 4, arbitrary: fc.jsonValue({ maxDepth: 3, noUnicodeString: false }) },
  { weight: 2, arbitrary: oddText },
  { weight: 2, arbitrary: fc.constantFrom(0, -1, 1.5, 2 ** 53, '60', 'false', true, null, [], {}, [null], [{}]) },
);

/** The example of an operation, with addresses on this machine only. */
function exampleBody({ name }: Operation): Record<string, unknown> {
  const text = JSON.stringify(operationDocs[name]?.body ?? {});
  return JSON.parse(text.replace(/https:\/\/[a-z.]+/g, 'http://127.0.0.1:9'));
}

/** A valid body with some fields, at either of the first two levels, made odd, dropped or added. */
function changedBody(operation: Operation): fc.Arbitrary<string> {
  const example = exampleBody(operation);
  const fields = [...Object.keys(example), 'config', 'monitorIds', 'type', '__proto__'];
  const change = fc.record({
    field: fc.constantFrom(...fields),
    inner: fc.boolean(),
    value: oddValue,
    drop: fc.boolean(),
  });
  return fc.array(change, { maxLength: 3 }).map((changes) => {
    const body: Record<string, unknown> = structuredClone(example);
    for (const { field, inner, value: drawn, drop } of changes) {
      // A copy: later changes may modify it, and a generated value may be drawn again.
      const value = structuredClone(drawn);
      const held = Object.hasOwn(body, field) ? body[field] : undefined;
      const target = inner && typeof held === 'object' && held !== null ? (held as Record<string, unknown>) : body;
      const key = target === body ? field : (Object.keys(target)[0] ?? 'more');
      if (drop) delete target[key];
      else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
    }
    return JSON.stringify(body);
  });
}

function bodyOf(operation: Operation): fc.Arbitrary<Pick<Generated, 'body' | 'headers'>> {
  const withJson = (body: string) => ({ body, headers: { ...json } });
  return fc.oneof(
    { weight: 6, arbitrary: changedBody(operation).map(withJson) },
    { weight: 2, arbitrary: oddValue.map((value) => withJson(JSON.stringify(value))) },
    { weight: 1, arbitrary: fc.string({ maxLength: 60 }).map(withJson) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((body) => ({ body, headers: { ...json } })) },
    {
      weight: 1,
      arbitrary: fc
        .record({
          body: fc.string({ maxLength: 60 }),
          headers: fc.constantFrom(
            'text/plain',
            'application/x-www-form-urlencoded',
            'x',
            'application/json; charset=latin1',
          ),
        })
        .map(({ body, headers }) => ({ body, headers: { 'content-type': headers } })),
    },
    { weight: 1, arbitrary: fc.constant({ body: null, headers: {} }) },
  );
}

function queryOf(): fc.Arbitrary<string> {
  const pair = fc.tuple(fc.constantFrom(...QUERY), fc.oneof(oddText, fc.constantFrom('1', '100', '24h', 'open')));
  return fc
    .array(pair, { maxLength: 3 })
    .map((pairs) =>
      pairs.length === 0 ? '' : `?${new URLSearchParams(pairs.map(([k, v]) => [k, v.toWellFormed()]))}`,
    );
}

/** The operation's path with existing IDs, unknown IDs, and texts that are not IDs. */
function pathOf({ path }: Operation, ids: string[]): fc.Arbitrary<string> {
  const segment = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...ids) },
    { weight: 1, arbitrary: oddText.map((text) => encodeURIComponent(text.toWellFormed())) },
    { weight: 1, arbitrary: fc.constantFrom('%', '%E0%A4', '%2F', '..%2f', '%00', 'export', 'by-external-id') },
  );
  const names = [...path.matchAll(/\{[^}]*\}/g)].map(([name]) => name);
  return fc
    .tuple(...names.map(() => segment))
    .map((values) => names.reduce((filled, name, index) => filled.replace(name, values[index] ?? ''), path));
}

/** An unknown path, or a modified one. */
const strayPath = fc.oneof(
  fc.webPath().map((path) => `/api/v1${path}`),
  fc.constantFrom(
    '/api/v1',
    '/api/v1/',
    '/api',
    '/auth',
    '/admin',
    '/dashboard/',
    '/api/v1//monitors',
    '/API/v1/monitors',
  ),
  fc.constantFrom(...operations.map(({ path }) => path)).map((path) => `${path}/`),
);

/** Requests of every kind: mostly to operations and almost valid, since invalid ones are rejected early. */
export function requests(ids: string[]): fc.Arbitrary<Generated> {
  const atOperation = fc.constantFrom(...operations).chain((operation) =>
    fc
      .record({
        method: fc.oneof({ weight: 9, arbitrary: fc.constant(operation.method) }, fc.constantFrom(...METHODS)),
        path: pathOf(operation, ids),
        query: queryOf(),
        sent: bodyOf(operation),
        credential: fc.oneof(
          { weight: 4, arbitrary: fc.constantFrom('owner', 'key') },
          fc.constantFrom(...credentials),
        ),
        retryKey: fc.option(fc.constantFrom('a', 'b', ' ', 'x'.repeat(300)), { freq: 8 }),
      })
      .map(({ method, path, query, sent, credential, retryKey }) => ({
        method,
        path: path + query,
        credential: credential as Credential,
        headers: { ...sent.headers, ...(retryKey !== null && { 'idempotency-key': retryKey }) },
        body: method === 'GET' || method === 'HEAD' ? null : sent.body,
      })),
  );
  const stray = fc.record({
    method: fc.constantFrom(...METHODS),
    path: strayPath,
    credential: fc.constantFrom(...credentials),
    headers: fc.constant({}),
    body: fc.constant(null),
  });
  return fc.oneof({ weight: 12, arbitrary: atOperation }, { weight: 1, arbitrary: stray });
}
