import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { scopeOf } from '@/server/api/openapi/complete-operation';
import { operations } from '@/server/api/rest/operations';
import { appRouter } from '@/server/api/router';
import type { ProcedureMeta } from '@/server/trpc/procedures';
import { resourceOf, Scope } from '@/server/trpc/schema';

const procedures = Object.entries(
  appRouter._def.procedures as unknown as Record<
    string,
    { _def: { meta?: ProcedureMeta; type: string; inputs: unknown[] } }
  >,
);

/** The paths of objects in a schema that accept unknown keys; "" is the schema itself. */
function openObjects(schema: unknown, path = ''): string[] {
  const below = (inner: unknown, name?: string) => openObjects(inner, name ? `${path}.${name}` : path);
  if (schema instanceof z.ZodObject) {
    const open = schema.def.catchall instanceof z.ZodNever ? [] : [path];
    return [...open, ...Object.entries(schema.shape).flatMap(([name, inner]) => below(inner, name))];
  }
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => below(option));
  if (schema instanceof z.ZodIntersection) return [...below(schema.def.left), ...below(schema.def.right)];
  if (schema instanceof z.ZodPipe) return [...below(schema.in), ...below(schema.out)];
  if (schema instanceof z.ZodArray) return below(schema.element);
  if (schema instanceof z.ZodRecord) return below(schema.valueType);
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  ) {
    return below(schema.unwrap());
  }
  return [];
}

/** The lists in a schema and in all that it consists of. */
function listsIn(schema: z.core.$ZodType): z.core.$ZodArray[] {
  const seen = new Set([schema]);
  const inside = (value: unknown): unknown[] =>
    typeof value === 'object' && value !== null ? Object.values(value) : [];
  // A set also visits what is added meanwhile.
  for (const { _zod } of seen) {
    const { def } = _zod;
    const parts = def.type === 'lazy' ? [(def as z.core.$ZodLazyDef).getter()] : Object.values(def);
    for (const part of [...parts, ...parts.flatMap(inside)]) if (part instanceof z.core.$ZodType) seen.add(part);
  }
  return [...seen].filter((each) => each instanceof z.core.$ZodArray);
}

/** Changes that even a viewer may make, because they concern only themselves: their keys, and leaving the team. */
const ownThings = new Set([
  'apiKeys.delete',
  'teams.members.remove',
  ...['create', 'reorder', 'update', 'delete', 'test', 'testSettings'].map((verb) => `contactMethods.${verb}`),
  'calendarFeeds.create',
  'calendarFeeds.delete',
  'summaries.update',
  'summaries.updateReport',
]);

const IN_PARITY = 'A key reads the same in another way: parity.test.ts.';
const IN_BROWSER = 'It is of use in a browser only.';
/** The procedures of a team that no API key can call, and why. */
const withoutKey: Record<string, string> = {
  'apiKeys.create': 'A leaked key could make another one, which outlives its expiry, its networks and its revocation.',
  'billing.checkout': IN_BROWSER,
  'billing.portal': IN_BROWSER,
  'incidents.list': IN_PARITY,
  'incidents.unresolvedCount': IN_PARITY,
  'live.events': IN_PARITY,
  'monitors.find': IN_PARITY,
  'monitors.order': IN_PARITY,
  'monitors.rows': IN_PARITY,
  'monitors.update': 'PATCH /api/v1/monitors/{id} is its counterpart, as the interface describes it.',
  'notifications.pushKey': IN_BROWSER,
  'statusPages.editor': IN_PARITY,
  'statusPages.isSlugFree': IN_PARITY,
  'teamRemoval.delete': 'It asks for the password of an owner.',
};

it('can be called with an API key if it is of a team, or says why not', () => {
  const byKey = new Set(operations.filter(({ path }) => path.startsWith('/api/v1/')).map(({ name }) => name));
  const without = procedures.filter(([name, { _def }]) => {
    const { access } = _def.meta ?? {};
    return access?.kind === 'team' && !access.isPersonal && !byKey.has(name);
  });
  expect(without.map(([name]) => name).sort()).toEqual(Object.keys(withoutKey).sort());
});

it('has an operation for every scope of a resource, and a scope for every operation', () => {
  const needed = operations.flatMap((operation) => scopeOf(operation) ?? []);
  expect([...new Set(needed)].sort()).toEqual(Scope.options.filter((scope) => scope.includes(':')).sort());
});

describe('every procedure', () => {
  it.each(procedures.filter(([, { _def }]) => _def.meta?.access?.kind === 'team'))(
    'belongs to a resource if it is of a team: %s',
    (name) => {
      expect(resourceOf(name)).not.toBeNull();
    },
  );

  it('is in the table above', () => {
    expect(procedures.length).toBeGreaterThan(20);
  });

  it.each(procedures.filter(([, { _def }]) => _def.type === 'mutation'))(
    'has a REST address if it is a mutation: %s',
    (_name, { _def }) => {
      expect(_def.meta?.openapi).toBeDefined();
    },
  );

  it.each(procedures)('rejects unknown fields at every level of its input: %s', (_name, { _def }) => {
    expect(_def.inputs).toHaveLength(1);
    expect(openObjects(_def.inputs[0])).toEqual([]);
  });

  it.each(procedures)('limits the length of every list of its input: %s', (_name, { _def }) => {
    // Zod compares only limits before other checks with the length before it validates the elements.
    const unlimited = listsIn(_def.inputs[0] as z.ZodType).filter(
      ({ _zod: { def } }) => z.core.util.sizeCaps(def.checks).length === 0 && !(def.element instanceof z.ZodUnknown),
    );
    expect(unlimited).toEqual([]);
  });

  it.each(procedures)('declares its callers: %s', (_name, procedure) => {
    expect(procedure._def.meta?.access).toBeDefined();
  });

  it.each(procedures.filter(([, { _def }]) => _def.type === 'mutation' && _def.meta?.access?.kind === 'team'))(
    'requires the write scope and more than a viewer if it is a mutation: %s',
    (name, { _def }) => {
      expect(_def.meta?.access).toMatchObject({ scope: 'write' });
      if (!ownThings.has(name)) expect(_def.meta?.access).not.toMatchObject({ role: 'viewer' });
    },
  );

  it.each(procedures.filter(([, { _def }]) => _def.type === 'query' && _def.meta?.openapi))(
    'uses GET if it is a query: %s',
    (_name, { _def }) => {
      expect(_def.meta?.openapi?.method).toBe('GET');
    },
  );
});

describe('every REST operation', () => {
  it.each(operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    'has an address of its auth surface: %s',
    (_name, { path, method, created }) => {
      expect(path).toMatch(/^\/(api\/v1|auth|dashboard|admin)\//);
      if (created) expect(created === 'sometimes' ? ['PUT', 'POST'] : ['POST']).toContain(method);
    },
  );

  it('has a unique address', () => {
    const addresses = operations.map(({ method, path }) => `${method} ${path.replace(/\{[^}]*\}/g, '{}')}`);
    expect(new Set(addresses).size).toBe(addresses.length);
  });
});
