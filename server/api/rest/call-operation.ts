import { createOpenApiNodeHttpHandler } from 'trpc-openapi';
import { env } from '@/server/platform/env';
import type { Context } from '@/server/trpc/context';
import type { ErrorEnvelope } from '@/server/trpc/error-table';
import { bridgePath } from './bridge-router';
import type { Operation } from './operation';
import { bridgeRouter, operations } from './operations';

export interface Outcome {
  status: number;
  /** The body as sent: JSON. */
  text: string;
}

/** Captures the library's response in memory. */
function catchAnswer(): { response: object; answer: Promise<{ status: number; text: string }> } {
  const response = { statusCode: 200, setHeader() {}, end: (_text: string) => {} };
  const answer = new Promise<{ status: number; text: string }>((resolve) => {
    response.end = (text) => resolve({ status: response.statusCode, text });
  });
  return { response, answer };
}

const contexts = new WeakMap<object, Context>();
const created = new Map(operations.map(({ name, created }) => [name, created]));
const handler = createOpenApiNodeHttpHandler({
  router: bridgeRouter,
  createContext: ({ req }) => contexts.get(req),
  responseMeta: ({ paths, errors, ctx }) => {
    const made = created.get(paths?.[0] ?? '');
    return errors.length === 0 && (made === 'sometimes' ? ctx?.answer.created : made) ? { status: 201 } : {};
  },
});

const headers = { 'content-type': 'application/json' };

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
  // A parsed body, as frameworks pass it to the library. Its values would not survive another round trip through JSON (1e999, depth).
  Object.defineProperty(request, 'body', { value: input });
  contexts.set(request, context);
  const { response, answer } = catchAnswer();
  await handler(request as never, response as never);
  const { status, text } = await answer;
  if (status < 400) return { status, text };
  const { error } = (JSON.parse(text) as { data: { error: ErrorEnvelope } }).data;
  return { status: error.status, text: JSON.stringify({ error }) };
}
