import type { OpenApiRouter } from 'trpc-openapi';
import { z } from 'zod';
import type { AppRouter } from '../router';
import type { Operation } from './operation';

/** Under this name an operation's input stands in the bridge's router, as a union of one object. */
export const INPUT = 'input';

/** Where the bridge library finds an operation. */
export const bridgePath = ({ name }: Pick<Operation, 'name'>) => `/${name}` as const;

/**
 * The router as the bridge library is shown it, to call operations and to document them. Each stands under a literal path, so
 * that the library's own matching (first match, any case, still percent-encoded) decides nothing. The input, apart by where
 * REST finds it, is the one member of a union: the coercion that the library sets on schemas stops there, and ours stay strict.
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
