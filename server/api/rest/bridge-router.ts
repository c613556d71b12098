import type { OpenApiRouter } from 'trpc-openapi';
import { z } from 'zod';
import type { AppRouter } from '../router';
import type { Operation } from './operation';

/** The field that holds an operation's input in the bridge's router, as a union of one object. */
export const INPUT = 'input';

/** The address of an operation in the bridge library. */
export const bridgePath = ({ name }: Pick<Operation, 'name'>) => `/${name}` as const;

/**
 * The router that the bridge library calls and documents. Each operation has a literal path, so that the library's matching (first match, ignoring
 * case, percent-encoded) has no effect. The input is the only member of a union: the library's coercion stops there, and our schemas stay strict.
 */
export function toBridgeRouter(router: AppRouter, operations: Operation[]): OpenApiRouter {
  const procedures = Object.fromEntries(
    operations
      .filter(({ isMain }) => isMain)
      .map((operation) => {
        const { name, procedure, input, tags } = operation;
        const { path, query, body } = input;
        const parts = z.object({ path: z.object(path), query: z.object(query), ...(body && { body }) });
        const { openapi } = procedure._def.meta as { openapi: object };
        const meta = { openapi: { ...openapi, tags, method: 'POST', path: bridgePath(operation) } };
        return [name, { _def: { ...procedure._def, meta, inputs: [z.object({ [INPUT]: z.union([parts]) })] } }];
      }),
  );
  return { ...router, _def: { ...router._def, procedures } } as unknown as OpenApiRouter;
}
