import { describe, expect, it } from 'vitest';
import type { Operation } from '@/server/api/rest/operations';
import { createRouteTable } from '@/server/api/rest/routes';

function operation(method: string, path: string): Operation {
  return {
    name: `${method} ${path}`,
    method,
    path,
    tags: [],
    isMain: true,
    created: false,
    isKeyed: false,
    resource: null,
    access: { kind: 'public' },
    input: { path: {}, query: {}, body: null },
    procedure: { _def: { type: 'query', inputs: [] } },
  };
}

const find = createRouteTable([
  operation('GET', '/api/v1/monitors/{id}'),
  operation('DELETE', '/api/v1/monitors/{monitorId}'),
  operation('GET', '/api/v1/monitors/export'),
  operation('GET', '/api/v1/monitors'),
  operation('POST', '/api/v1/monitors'),
  operation('GET', '/api/v1/monitors/{id}/checks'),
]);

describe('the route table', () => {
  it.each([
    ['GET', '/api/v1/monitors', 'GET /api/v1/monitors', {}],
    ['GET', '/api/v1/monitors/export', 'GET /api/v1/monitors/export', {}],
    ['GET', '/api/v1/monitors/01ABC', 'GET /api/v1/monitors/{id}', { id: '01ABC' }],
    ['DELETE', '/api/v1/monitors/01ABC', 'DELETE /api/v1/monitors/{monitorId}', { monitorId: '01ABC' }],
    ['GET', '/api/v1/monitors/a%2Fb%20c/checks', 'GET /api/v1/monitors/{id}/checks', { id: 'a/b c' }],
    ['HEAD', '/api/v1/monitors', 'GET /api/v1/monitors', {}],
  ])('routes %s %s to %s', (method, path, name, params) => {
    expect(find(method, path)).toMatchObject({ kind: 'operation', operation: { name }, params });
  });

  it.each([
    ['GET', '/API/v1/monitors'],
    ['GET', '/api/v1/Monitors'],
    ['GET', '/api/v1/monitors/'],
    ['GET', '/api/v1/monitors/x/y'],
    ['GET', '/'],
  ])('finds no route for %s %s', (method, path) => {
    expect(find(method, path)).toEqual({ kind: 'none' });
  });

  it('lists the methods that an address supports', () => {
    expect(find('PUT', '/api/v1/monitors')).toEqual({ kind: 'method', allow: ['GET', 'HEAD', 'OPTIONS', 'POST'] });
    expect(find('OPTIONS', '/api/v1/monitors/x')).toEqual({
      kind: 'method',
      allow: ['DELETE', 'GET', 'HEAD', 'OPTIONS'],
    });
  });

  it.each(['/api/v1/monitors/%', '/api/v1/monitors/%ff', '/api/v1/monitors/%zz'])('reports %s as malformed', (path) => {
    expect(find('GET', path)).toEqual({ kind: 'malformed' });
  });

  it('rejects two operations with the same address', () => {
    expect(() => createRouteTable([operation('GET', '/a/{id}'), operation('GET', '/a/{name}')])).toThrow(/taken twice/);
  });
});
