import { createOpenApiNodeHttpHandler, type OpenApiRouter } from 'trpc-openapi';
import { z } from 'zod';
import { env } from '@/server/platform/env';
import type { Context } from '@/server/trpc/context';
import type { ErrorEnvelope } from '@/server/trpc/error-table';
import { appRouter } from '../router';
import { type Operation, operations } from './operations';

/** The field that holds an operation's input in the bridge's router, as a union of one object. */
export const INPUT = 'input';

/** Returns the path of an operation in the bridge library. */
export const bridgePath = ({ name }: Operation) => `/${name}` as const;

/** Returns the procedure of an operation in the form in which the bridge library gets it. */
function toBridged(operation: Operation) {
  const { procedure, input, tags } = operation;
  const { path, query, body } = input;
  const parts = z.object({ path: z.object(path), query: z.object(query), ...(body && { body }) });
  const { openapi } = procedure._def.meta as { openapi: object };
  const meta = { openapi: { ...openapi, tags, method: 'POST', path: bridgePath(operation) } };
  return { _def: { ...procedure._def, meta, inputs: [z.object({ [INPUT]: z.union([parts]) })] } };
}

/**
 * The router that the bridge library calls and documents. Each operation has a literal path, so that the library's matching (first match, ignoring
 * case, percent-encoded) has no effect. The input is the only member of a union: the library's coercion stops there, and our schemas stay strict.
 */
export const bridgeRouter = {
  ...appRouter,
  _def: {
    ...appRouter._def,
    procedures: Object.fromEntries(
      operations.filter(({ isMain }) => isMain).map((operation) => [operation.name, toBridged(operation)]),
    ),
  },
} as unknown as OpenApiRouter;

const handler = createOpenApiNodeHttpHandler({
  router: bridgeRouter,
  createContext: ({ req }) => (req as unknown as { context: Context }).context,
});

const headers = { 'content-type': 'application/json' };

export interface Outcome {
  status: number;
  /** The body as sent: JSON. */
  text: string;
}

/**
 * Runs an operation through the bridge library.
 * @returns the status and the body to send: the operation's output, or `{error}` alone
 */
export async function callOperation(
  operation: Operation,
  input: Record<string, unknown>,
  context: Context,
): Promise<Outcome> {
  const request = new Request(new URL(bridgePath(operation), env.appUrl), { method: 'POST', headers });
  // Passes the body parsed, as frameworks do. Its values would not survive another round trip through JSON (1e999, depth).
  Object.defineProperties(request, { body: { value: input }, context: { value: context } });
  const response = {
    statusCode: 200,
    text: '',
    setHeader() {},
    end(text: string) {
      response.text = text;
    },
  };
  await handler(request as never, response as never);
  const { statusCode, text } = response;
  if (statusCode >= 400) {
    const { error } = (JSON.parse(text) as { data: { error: ErrorEnvelope } }).data;
    return { status: error.status, text: JSON.stringify({ error }) };
  }
  const isCreated = operation.created === 'sometimes' ? context.answer.created : operation.created;
  return { status: isCreated ? 201 : 200, text };
}
