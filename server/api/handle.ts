import type { NextRequest } from 'next/server';
import { AppError } from '@/server/platform/errors';
import { requestIdOf } from '@/server/platform/ids';
import { noteRequest } from '@/server/platform/request-facts';
import { setErrorHeaders, toEnvelope } from '@/server/trpc/error-table';
import { handleAgent } from './agent';
import { maintenanceFeed, onCallFeed } from './calendar-feed';
import { handleChannelCallback } from './channel-callback';
import { health, ready } from './health';
import { heartbeat } from './heartbeat';
import { metrics } from './metrics';
import { handleNextAuth } from './next-auth';
import { handleRest } from './rest/handle';
import { handleStripeWebhook } from './stripe-webhook';
import { handleTrpc } from './trpc-handler';
import { askToUnsubscribe, unsubscribeByMailProgram } from './unsubscribe';

type Handle = (request: NextRequest) => Response | Promise<Response>;

/** The handlers of a path by method; HEAD is handled as GET. A function handles every method. */
type Place = Handle | Partial<Record<'GET' | 'POST', Handle>>;

/**
 * The handlers of paths below `/api` besides the REST operations. `{path}` stands for any number of parts. The request log and the metrics name these
 * patterns, because the path itself may contain a secret.
 */
const places: Record<string, Place> = {
  '/api/agent/{path}': handleAgent,
  '/api/auth/{path}': handleNextAuth,
  '/api/callbacks/{path}': handleChannelCallback,
  '/api/health': { GET: health },
  '/api/heartbeat/{path}': heartbeat,
  '/api/maintenance/{feed}': { GET: maintenanceFeed },
  // Loaded when somebody connects an assistant.
  '/api/mcp': { POST: async (request) => (await import('./mcp/handle')).handleMcp(request) },
  '/api/metrics': { GET: metrics },
  '/api/on-call/{feed}': { GET: onCallFeed },
  '/api/push/{path}': heartbeat,
  '/api/ready': { GET: ready },
  '/api/stripe/webhook': handleStripeWebhook,
  '/api/trpc/{procedures}': { GET: handleTrpc, POST: handleTrpc },
  '/api/unsubscribe/{token}': { GET: askToUnsubscribe, POST: unsubscribeByMailProgram },
};

const partsOf = (path: string) => path.split('/').slice(2);
/** The same by the first part below `/api`, which is different for each. */
const byName = new Map(
  Object.entries(places).map(([route, place]) => {
    const [name = '', ...rest] = partsOf(route);
    return [name, { route, rest, place }];
  }),
);

function find(pathname: string): { route: string; place: Place } | undefined {
  const [name = '', ...given] = partsOf(pathname);
  const found = byName.get(name);
  if (!found) return undefined;
  const { rest } = found;
  if (rest[0] === '{path}') return found;
  return rest.length === given.length && rest.every((part, at) => part.startsWith('{') || part === given[at])
    ? found
    : undefined;
}

function refuseMethod(accepted: readonly string[]): Response {
  const allow = accepted.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  const error = new AppError('METHOD_NOT_ALLOWED', `This URL accepts ${allow}.`);
  const headers = new Headers({ 'cache-control': 'no-store', allow });
  setErrorHeaders(error, headers);
  const envelope = toEnvelope(error);
  return Response.json({ error: envelope }, { status: envelope.status, headers });
}

/**
 * Answers everything below `/api` from one table, so that every place names its methods and its pattern for the log. Never throws, like the handlers
 * it calls.
 */
export function handleApi(request: NextRequest): Response | Promise<Response> {
  const found = find(new URL(request.url).pathname);
  if (!found) return handleRest(request);
  const { route, place } = found;
  noteRequest(requestIdOf(request.headers.get('x-request-id')), { route });
  if (typeof place === 'function') return place(request);
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const handle = method === 'GET' || method === 'POST' ? place[method] : undefined;
  return handle ? handle(request) : refuseMethod(Object.keys(place));
}
