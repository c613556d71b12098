import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { type Context, createContext } from './context';
import { toAppError, toEnvelope } from './error-table';
import { MAX_BODY_BYTES, readCapped } from './rest/read-input';
import { appRouter } from './router';

/** Calls in one request; the dashboard sends no more at once. */
const MAX_BATCH_SIZE = 50;

/** Gives the request back with its body read under the cap. */
async function capped(request: Request): Promise<Request> {
  if (!request.body) return request;
  const body = await readCapped(request, MAX_BODY_BYTES);
  const { url, method, headers, signal } = request;
  return new Request(url, { method, headers, signal, body: body as BodyInit });
}

/** Answers `/api/trpc/**`, for the dashboard. */
export async function handleTrpc(request: Request): Promise<Response> {
  let context: Context;
  try {
    context = await createContext('dashboard', request.headers);
    const response = await fetchRequestHandler({
      endpoint: '/api/trpc',
      req: await capped(request),
      router: appRouter,
      maxBatchSize: MAX_BATCH_SIZE,
      createContext: () => context,
    });
    for (const [name, value] of context.resHeaders) response.headers.set(name, value);
    response.headers.set('cache-control', 'no-store');
    return response;
  } catch (thrown) {
    const error = toEnvelope(toAppError(thrown));
    return Response.json(
      { error: { message: error.message, code: -32_600, data: { error } } },
      { status: error.status },
    );
  }
}
