import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { operations } from '@/server/api/rest/operations';
import { appRouter } from '@/server/api/router';
import type { ProcedureMeta } from '@/server/trpc/procedures';

const procedures = Object.entries(
  appRouter._def.procedures as unknown as Record<
    string,
    { _def: { meta?: ProcedureMeta; type: string; inputs: unknown[] } }
  >,
);

/** The paths of the objects in a schema that take names they do not know; "" is the schema itself. */
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

/** What even a viewer may change, because it is their own: their keys, and whether they stay. */
const ownThings = new Set(['apiKeys.delete', 'teams.members.remove']);

describe('every procedure', () => {
  it('is listed here', () => {
    expect(procedures.length).toBeGreaterThan(20);
  });

  it.each(procedures.filter(([, { _def }]) => _def.type === 'mutation'))(
    '%s changes things, so it has a REST address',
    (_name, { _def }) => {
      expect(_def.meta?.openapi).toBeDefined();
    },
  );

  it.each(procedures)('%s refuses unknown fields, at every level of its input', (_name, { _def }) => {
    expect(_def.inputs).toHaveLength(1);
    expect(openObjects(_def.inputs[0])).toEqual([]);
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
