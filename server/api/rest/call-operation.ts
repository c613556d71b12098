import { createOpenApiNodeHttpHandler, type OpenApiRouter } from 'trpc-openapi';
import { z } from 'zod';
import type { Context } from '@/server/trpc/context';
import type { ErrorEnvelope } from '@/server/trpc/error-table';
import { appRouter } from '../router';
import type { Operation } from './routes';

export interface Outcome {
  status: number;
  /** The body as it is sent: JSON. */
  text: string;
}

/** The library wants a signal, and hands it to nobody. */
const { signal } = new AbortController();
/** The one header the library looks at. */
const headers = new Headers({ 'content-type': 'application/json' });
const anything = z.looseObject({});

/**
 * The router as the bridge library is shown it: each operation under a literal address of its own, taking any object.
 * So the library's own matching (first match, any case, still percent-encoded) decides nothing, and the coercion it
 * sets on the schemas it finds never touches ours: the call goes to the real procedure, which validates strictly.
 */
function bridgeView(operations: Operation[]): OpenApiRouter {
  const procedures = Object.fromEntries(
    operations.map(({ name, procedure }) => [
      name,
      {
        _def: {
          ...procedure._def,
          inputs: [anything],
          meta: { openapi: { method: 'POST', path: `/${name}` } },
        },
      },
    ]),
  );
  return { ...appRouter, _def: { ...appRouter._def, procedures } } as unknown as OpenApiRouter;
}

/**
 * A request to an operation as far as the library looks at one. A real `Request` costs more than all that the library
 * does with it.
 */
function requestFor(operation: Operation, body: Record<string, unknown>): Request {
  const url = `/${operation.name}`;
  return Object.create(Request.prototype, {
    method: { value: 'POST' },
    url: { value: url },
    headers: { value: headers },
    signal: { value: signal },
    body: { value: body },
  });
}

/** The library's answer, caught in memory. */
function catchAnswer(): { response: object; answer: Promise<{ status: number; text: string }> } {
  const response = { statusCode: 200, setHeader() {}, end: (_text: string) => {} };
  const answer = new Promise<{ status: number; text: string }>((resolve) => {
    response.end = (text) => resolve({ status: response.statusCode, text });
  });
  return { response, answer };
}

/**
 * Builds, once, the function that runs an operation through the bridge library and gives back the status and the body
 * to send: the operation's output, or `{error}` and nothing beside it.
 */
export function createCaller(
  operations: Operation[],
): (operation: Operation, input: Record<string, unknown>, context: Context) => Promise<Outcome> {
  const contexts = new WeakMap<object, Context>();
  const created = new Map(operations.map((operation) => [operation.name, operation.created]));
  const handler = createOpenApiNodeHttpHandler({
    router: bridgeView(operations),
    createContext: ({ req }) => contexts.get(req),
    responseMeta: ({ paths, errors, ctx }) => {
      const made = created.get(paths?.[0] ?? '');
      return errors.length === 0 && (made === 'sometimes' ? ctx?.answer.created : made) ? { status: 201 } : {};
    },
  });

  return async (operation, input, context) => {
    const request = requestFor(operation, input);
    contexts.set(request, context);
    const { response, answer } = catchAnswer();
    await handler(request as never, response as never);
    const { status, text } = await answer;
    if (status < 400) return { status, text };
    const { error } = (JSON.parse(text) as { data: { error: ErrorEnvelope } }).data;
    return { status: error.status, text: JSON.stringify({ error }) };
  };
}
