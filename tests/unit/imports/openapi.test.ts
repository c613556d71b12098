import { beforeAll, describe, expect, it } from 'vitest';
import { readImport, tryImport } from '@/tests/support/read-import';

const run = (text: string) => tryImport('openapi', text);
const read = (document: unknown) =>
  readImport('openapi', typeof document === 'string' ? document : JSON.stringify(document));

// The first read loads the schemas of all objects.
beforeAll(async () => void (await run('')), 60_000);

const servers = [{ url: 'https://api.northwind.example/v1/' }];
const one = async (operation: object, more: object = {}) => {
  const draft = await read({ openapi: '3.1.0', servers, paths: { '/orders': { get: operation } }, ...more });
  return draft.monitors[0] ?? draft.leftOut[0];
};

const limit = { name: 'limit', in: 'query', required: true, schema: { type: 'integer', default: 10 } };

describe('paths of an OpenAPI document', () => {
  it.each([
    [
      { summary: 'List orders', tags: ['Orders'] },
      {},
      {
        name: 'List orders',
        tags: ['orders'],
        isActive: true,
        config: { url: 'https://api.northwind.example/v1/orders' },
      },
    ],
    [{ operationId: 'listOrders' }, {}, { name: 'listOrders', config: { expectedStatus: ['200-299'] } }],
    [
      { parameters: [limit] },
      {},
      { name: '/orders', config: { url: 'https://api.northwind.example/v1/orders?limit=10' } },
    ],
    [
      { parameters: [{ $ref: '#/components/parameters/Tenant' }] },
      { components: { parameters: { Tenant: { name: 'X-Tenant', in: 'header', required: true, example: 'a' } } } },
      { config: { headers: { 'X-Tenant': 'a' } } },
    ],
    [{ parameters: [{ name: 'q', in: 'query' }] }, {}, { config: { url: 'https://api.northwind.example/v1/orders' } }],
    [
      {},
      { servers: [{ url: 'https://{region}.northwind.example', variables: { region: { default: 'eu' } } }] },
      { config: { url: 'https://eu.northwind.example/orders' } },
    ],
    [
      { security: [{ token: [] }] },
      {},
      { isActive: false, notes: [expect.stringContaining('It needs a secret (token)')] },
    ],
    [{}, { security: [{ token: [] }] }, { isActive: false }],
    [{ security: [] }, { security: [{ token: [] }] }, { isActive: true }],
    [{ security: [{}, { token: [] }] }, {}, { isActive: true }],
    [{ deprecated: true }, {}, { notes: ['It is deprecated.'] }],
    [
      { parameters: [{ ...limit, schema: { $ref: '#/components/schemas/Limit' } }] },
      { components: { schemas: { Limit: { type: 'integer', default: 25 } } } },
      { config: { url: 'https://api.northwind.example/v1/orders?limit=25' } },
    ],
    [
      { parameters: [{ ...limit, schema: {}, examples: { few: { value: 5 }, many: { value: 50 } } }] },
      {},
      { config: { url: 'https://api.northwind.example/v1/orders?limit=5' } },
    ],
    [
      {
        parameters: ['Accept', 'content-type', 'Authorization'].map((name) => ({ name, in: 'header', required: true })),
      },
      {},
      { config: { headers: {} } },
    ],
    [
      { servers: [{ url: 'https://eu.northwind.example' }, { url: 'https://us.northwind.example' }] },
      {},
      { notes: ['The server is eu.northwind.example, the first of 2 servers.'] },
    ],
  ])('become a monitor: %j', async (operation, more, expected) => {
    const found = await one(operation, more);
    if (!found || !('input' in found)) throw new Error(`Left out: ${found?.reason}`);
    expect({ ...found.input, notes: found.notes }).toMatchObject({ type: 'http', ...expected });
  });

  it.each([
    [{ parameters: [{ ...limit, schema: {} }] }, {}, 'It needs the query parameter limit, which has no example.'],
    [
      { parameters: [{ name: 'sid', in: 'cookie', required: true, example: 'a' }] },
      {},
      'It needs the cookie parameter sid',
    ],
    [{}, { servers: [] }, 'The document has no complete URL of a server.'],
    [{}, { servers: [{ url: '/v1' }] }, 'Its server is not a complete URL.'],
    [{}, { servers: [{ url: 'http://localhost:8080' }] }, 'Its server localhost:8080 is the computer that runs it.'],
    [{}, { servers: [{ url: 'http://[::1]/' }] }, 'is the computer that runs it'],
    [{ parameters: Array.from({ length: 101 }, () => limit) }, {}, 'It has more than 100 parameters.'],
    [
      { parameters: [{ ...limit, schema: { $ref: '#/components/schemas/None' } }] },
      {},
      'It needs the query parameter limit, which has no example.',
    ],
  ])('are left out with the reason: %j %j', async (operation, more, reason) => {
    expect(await one(operation, more)).toMatchObject({ reason: expect.stringContaining(reason) });
  });

  it('have parameters of their own that replace those of the path', async () => {
    const item = {
      parameters: [limit],
      get: { parameters: [{ name: 'limit', in: 'query' }] },
    };
    const draft = await read({ openapi: '3.1.0', servers, paths: { '/orders': item } });
    expect(draft.monitors.map(({ input }) => input.config)).toMatchObject([
      { url: 'https://api.northwind.example/v1/orders' },
    ]);
  });

  it('have a note that names the server if the document has a choice', async () => {
    const url = 'https://{region}.northwind.example';
    const draft = await read({
      openapi: '3.1.0',
      servers: [{ url, variables: { region: { default: 'eu' } } }, ...servers],
      paths: { '/orders': { get: {} } },
    });
    expect(draft.notes[0]).toBe(
      'The server is eu.northwind.example, the first of 2 servers with the defaults of its variables.',
    );
  });

  it('share a long list of parameters without reading it for each of them', async () => {
    const paths = Array.from({ length: 5_000 }, (_, index) => `  /p${index}: { parameters: *all, get: {} }`).join('\n');
    const draft = await read(
      `openapi: 3.1.0\nservers: [{ url: 'https://a.example' }]\nx-all: &all [${'{ in: query, name: a }, '.repeat(10_000)}]\npaths:\n${paths}\n`,
    );
    expect(draft.leftOut[0]?.reason).toBe('It has more than 100 parameters.');
  }, 60_000);

  it('are read from YAML and Swagger 2, in which parameters of the path and other methods are left out', async () => {
    const draft = await read(`
swagger: "2.0"
info: { title: Shop, version: 1.2.0 }
host: api.northwind.example
basePath: /v2
schemes: [http, https]
paths:
  /orders: { get: { summary: List orders }, post: {} }
  /orders/{id}: { get: {} }
  /sessions: { post: {} }
  x-internal: {}
`);
    expect(draft.version).toBe('1.2.0');
    expect(draft.monitors.map(({ input }) => input.config)).toMatchObject([
      { url: 'https://api.northwind.example/v2/orders' },
    ]);
    expect(draft.leftOut.map(({ from, reason }) => [from, reason])).toEqual([
      ['GET /orders/{id}', 'It needs the path parameter id.'],
      ['GET /sessions', 'It cannot be read: it has no GET.'],
    ]);
  });
});

it.each([
  ['', 'not an OpenAPI document'],
  ['{"openapi":"3.1.0"}', 'not an OpenAPI document'],
  ['{"openapi":', 'not valid JSON'],
  [
    `{"openapi":"3.1.0","paths":{${Array.from({ length: 5_001 }, (_, index) => `"/${index}":{}`).join()}}}`,
    'at most 5000',
  ],
])('says what is wrong with a document %#', async (text, problem) => {
  expect(await run(text)).toEqual({ problem: expect.stringContaining(problem) });
});
