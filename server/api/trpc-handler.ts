import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { AppError } from '@/server/platform/errors';
import { noteRequest } from '@/server/platform/request-facts';
import { type Context, createContext } from '@/server/trpc/context';
import { setErrorHeaders, toAppError, toEnvelope } from '@/server/trpc/error-table';
import { MAX_ANONYMOUS_BODY_BYTES, MAX_BODY_BYTES, readCapped } from './rest/read-input';
import { assertBounded } from './rest/read-json';
import { appRouter } from './router';

/** The maximum number of calls per request. The dashboard never sends more. */
const MAX_BATCH_SIZE = 20;

/**
 * Returns the request with its body, read within the limits.
 * @throws AppError PAYLOAD_TOO_LARGE, VALIDATION_ERROR
 */
async function capped(request: Request, { credential }: Context): Promise<Request> {
  if (!request.body) return request;
  const body = await readCapped(request, credential.kind === 'none' ? MAX_ANONYMOUS_BODY_BYTES : MAX_BODY_BYTES);
  assertBounded(body);
  const { url, method, headers, signal } = request;
  return new Request(url, { method, headers, signal, body: body as BodyInit });
}

/**
 * Returns the route pattern for the log: with the name of the procedure if that exists. A batch, which can name any number of procedures, has none.
 */
function routeOf({ url }: Request): string {
  const [name = ''] = new URL(url).pathname.split('/').slice(3);
  return Object.hasOwn(appRouter._def.procedures, name) ? `/api/trpc/${name}` : '/api/trpc/{procedures}';
}

/** Answers `/api/trpc/**`, for the dashboard. Never throws. */
export async function handleTrpc(request: Request): Promise<Response> {
  let context: Context;
  // A subscription's RATE_LIMITED, because tRPC would report it within a stream of status 200.
  let refused: AppError | null = null;
  try {
    context = await createContext('dashboard', request.headers);
    noteRequest(context.requestId, { route: routeOf(request) });
    const response = await fetchRequestHandler({
      endpoint: '/api/trpc',
      req: await capped(request, context),
      router: appRouter,
      maxBatchSize: MAX_BATCH_SIZE,
      createContext: () => context,
      onError: ({ type, error: { cause } }) => {
        if (type === 'subscription' && cause instanceof AppError && cause.code === 'RATE_LIMITED') refused ??= cause;
      },
    });
    if (refused) {
      await response.body?.cancel();
      throw refused;
    }
    for (const [name, value] of context.resHeaders) response.headers.set(name, value);
    response.headers.set('cache-control', 'no-store');
    return response;
  } catch (thrown) {
    const error = toAppError(thrown);
    const envelope = toEnvelope(error);
    const headers = new Headers({ 'cache-control': 'no-store' });
    setErrorHeaders(error, headers);
    return Response.json(
      { error: { message: envelope.message, code: -32_600, data: { error: envelope } } },
      { status: envelope.status, headers },
    );
  }
}
