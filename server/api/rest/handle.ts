import { z } from 'zod';
import { AppError, invalidField } from '@/server/platform/errors';
import { requestIdOf } from '@/server/platform/ids';
import { log } from '@/server/platform/log';
import { noteRequest } from '@/server/platform/request-facts';
import { authorise } from '@/server/trpc/access';
import { type AuthSurface, createContext } from '@/server/trpc/context';
import { logFailure, setErrorHeaders, toAppError, toEnvelope } from '@/server/trpc/error-table';
import { inShareOf } from '@/server/trpc/share';
import { CONFIG_SCHEMA_PATH, serveConfigSchema } from '../config-schema';
import { DOCUMENT_PATH, serveDocument } from '../openapi/serve';
import { serveTeamMetrics, TEAM_METRICS_PATH } from '../team-metrics';
import { callOperation, type Outcome } from './bridge';
import { readIdempotencyKey, runOnce } from './idempotency';
import { type Operation, operations } from './operations';
import { readInput } from './read-input';
import { createRouteTable, type Match } from './routes';

const find = createRouteTable(operations);
/** Endpoints that answer with their own text and are not procedures. */
const texts: Record<string, (request: Request, headers: Headers, requestId: string) => Response | Promise<Response>> = {
  [CONFIG_SCHEMA_PATH]: serveConfigSchema,
  [DOCUMENT_PATH]: serveDocument,
  [TEAM_METRICS_PATH]: serveTeamMetrics,
};
const textMatch = { kind: 'method', allow: ['GET', 'HEAD', 'OPTIONS'] } satisfies Match;

function surfaceOf(pathname: string): AuthSurface {
  return /^\/api\/v1(\/|$)/.test(pathname) ? 'api' : 'person';
}

/**
 * Finds and authorises the operation of a request, and runs it; under its Idempotency-Key, at most once.
 * @returns null for OPTIONS, which is answered with headers only
 * @throws AppError
 */
async function answer(request: Request, url: URL, headers: Headers, requestId: string): Promise<Outcome | null> {
  const match = Object.hasOwn(texts, url.pathname) ? textMatch : find(request.method, url.pathname);
  if (match.kind === 'malformed') throw new AppError('VALIDATION_ERROR', 'The path is not valid percent-encoding.');
  if (match.kind === 'none') throw new AppError('NOT_FOUND', 'There is nothing at this URL.');
  if (match.kind === 'method') {
    headers.set('allow', match.allow.join(', '));
    if (headers.has('access-control-allow-origin')) headers.set('access-control-allow-methods', match.allow.join(', '));
    if (request.method === 'OPTIONS') return null;
    throw new AppError('METHOD_NOT_ALLOWED', `This URL accepts ${match.allow.join(', ')}.`);
  }
  noteRequest(requestId, { route: match.operation.path });
  const context = await createContext(surfaceOf(url.pathname), request.headers, requestId);
  try {
    // Runs before the body is read: unauthorized callers are rejected whatever they send.
    const { type: kind } = match.operation.procedure._def;
    const actor = await authorise(context, match.operation.access, kind, match.operation.resource);
    assertUnconditional(request, match.operation);
    const input = await readInput(request, url, match.operation, match.params, actor.kind === 'anonymous');
    const run = () => callOperation(match.operation, input, context);
    const key = request.method === 'POST' ? readIdempotencyKey(request.headers) : null;
    if (key === null || !match.operation.isKeyed) return await run();
    const { address } = context;
    const { outcome, replayed } = await inShareOf({ actor, address, kind }, () =>
      runOnce(key, { actor, address, operation: match.operation.path, input }, run),
    );
    if (replayed) headers.set('idempotency-replayed', 'true');
    return outcome;
  } finally {
    for (const [name, value] of context.resHeaders) headers.set(name, value);
  }
}

/** Preconditions (RFC 9110 §13.1) that a change must not ignore. */
const PRECONDITIONS = ['if-match', 'if-none-match', 'if-unmodified-since'];

/**
 * Refuses preconditions of changes: versions are compared by a field of the body.
 * @throws AppError VALIDATION_ERROR
 */
function assertUnconditional(request: Request, { input }: Operation): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const name = PRECONDITIONS.find((each) => request.headers.has(each));
  if (name === undefined) return;
  const hasVersion = input.body instanceof z.ZodObject && 'ifUpdatedAt' in input.body.shape;
  const instead = hasVersion ? ' Send ifUpdatedAt in the body instead.' : '';
  throw invalidField(name, `This header is not supported here.${instead}`);
}

/**
 * Sets the CORS headers: scripts of other origins may use `/api/v1` with a key. Cookies are ignored there, so any origin is allowed (Fetch, CORS).
 */
function allowOrigins(url: URL, headers: Headers): void {
  if (surfaceOf(url.pathname) !== 'api') return;
  headers.set('access-control-allow-origin', '*');
  headers.set('access-control-allow-headers', 'authorization, content-type, idempotency-key');
  headers.set('access-control-max-age', '86400');
  headers.set(
    'access-control-expose-headers',
    'x-request-id, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, idempotency-replayed',
  );
}

/**
 * Answers a REST request: finds the operation, parses its input strictly, runs the procedure, and sends its output or the error envelope. Never
 * throws.
 */
export async function handleRest(request: Request): Promise<Response> {
  const url = new URL(request.url);
  const requestId = requestIdOf(request.headers.get('x-request-id'));
  const headers = new Headers({ 'cache-control': 'no-store', 'x-request-id': requestId });
  allowOrigins(url, headers);
  let outcome: Outcome | null;
  try {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const serve = isRead && Object.hasOwn(texts, url.pathname) ? texts[url.pathname] : undefined;
    if (serve) {
      noteRequest(requestId, { route: url.pathname });
      return await serve(request, headers, requestId);
    }
    outcome = await answer(request, url, headers, requestId);
  } catch (thrown) {
    const error = toAppError(thrown);
    logFailure(log, error, { requestId, path: url.pathname }, 'A REST request failed');
    setErrorHeaders(error, headers);
    const envelope = toEnvelope(error);
    outcome = { status: envelope.status, text: JSON.stringify({ error: envelope }) };
  }
  if (!outcome) return new Response(null, { status: 204, headers });
  headers.set('content-type', 'application/json; charset=utf-8');
  if (outcome.status === 401) headers.set('www-authenticate', 'Bearer');
  return new Response(request.method === 'HEAD' ? null : outcome.text, {
    status: outcome.status,
    headers,
  });
}

export {
  handleRest as DELETE,
  handleRest as GET,
  handleRest as HEAD,
  handleRest as OPTIONS,
  handleRest as PATCH,
  handleRest as POST,
  handleRest as PUT,
};
