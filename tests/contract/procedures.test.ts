import { describe, expect, it } from 'vitest';
import type { ProcedureMeta } from '@/server/api/procedures';
import { operations } from '@/server/api/rest/operations';
import { appRouter } from '@/server/api/router';

const procedures = Object.entries(
  appRouter._def.procedures as unknown as Record<string, { _def: { meta?: ProcedureMeta; type: string } }>,
);

/** What even a viewer may change, because it is their own: their keys, and whether they stay. */
const ownThings = new Set(['apiKeys.delete', 'teams.members.remove']);

/** The procedures without a REST address, each with the operation that gives a script the same, or why there is none. */
const otherwise: Record<string, string> = {
  // The same with the monitor's name beside it.
  'incidents.list': 'GET /api/v1/incidents',
  'incidents.openCount': 'GET /api/v1/incidents',
  'monitors.checks': 'GET /api/v1/monitors/{id}/checks',
  // The page, what it could show, and its logo for a form.
  'statusPages.editor': 'GET /dashboard/status-pages/{id}',
  // While somebody types; who just tries is answered SLUG_TAKEN.
  'statusPages.isSlugFree': 'POST /dashboard/status-pages',
};
/** What has another form for machines, outside the operations. */
const elsewhere: Record<string, string> = {
  'statusPages.public': '/status/{slug}/api/v2/summary.json',
  'live.events': 'a webhook channel',
};

describe('every procedure', () => {
  it('is listed here', () => {
    expect(procedures.length).toBeGreaterThan(20);
  });

  it('that the dashboard has, a script has too', () => {
    const without = procedures.filter(([, { _def }]) => !_def.meta?.openapi).map(([name]) => name);
    expect(Object.keys({ ...otherwise, ...elsewhere }).sort()).toEqual(without.sort());
    const addresses = operations.map(({ method, path }) => `${method} ${path}`);
    for (const address of Object.values(otherwise)) expect(addresses).toContain(address);
    expect(
      without.filter((name) => procedures.some(([each, { _def }]) => each === name && _def.type === 'mutation')),
    ).toEqual([]);
  });

  it.each(procedures)('%s declares who may call it', (_name, procedure) => {
    expect(procedure._def.meta?.access).toBeDefined();
  });

  it.each(procedures.filter(([, { _def }]) => _def.type === 'mutation' && _def.meta?.access?.kind === 'team'))(
    '%s changes things, so it asks for the write scope and more than a viewer',
    (name, { _def }) => {
      expect(_def.meta?.access).toMatchObject({ scope: 'write' });
      if (!ownThings.has(name)) expect(_def.meta?.access).not.toMatchObject({ role: 'viewer' });
    },
  );

  it.each(procedures.filter(([, { _def }]) => _def.type === 'query' && _def.meta?.openapi))(
    '%s reads, so its REST method is GET',
    (_name, { _def }) => {
      expect(_def.meta?.openapi?.method).toBe('GET');
    },
  );
});

describe('every REST operation', () => {
  it.each(operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    '%s stands under the address of its door',
    (_name, { path, method, created }) => {
      expect(path).toMatch(/^\/(api\/v1|auth|dashboard|admin)\//);
      if (created) expect(method).toBe(created === 'sometimes' ? 'PUT' : 'POST');
    },
  );

  it('has one address of its own', () => {
    const addresses = operations.map(({ method, path }) => `${method} ${path.replace(/\{[^}]*\}/g, '{}')}`);
    expect(new Set(addresses).size).toBe(addresses.length);
  });
});
