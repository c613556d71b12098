import { cookies } from 'next/headers';
import { NextRequest } from 'next/server';
import NextAuth from 'next-auth';
import { authOptions, CALLBACK_COOKIE } from '@/server/account/next-auth';
import { AppError, unavailable } from '@/server/platform/errors';
import { requestIdOf } from '@/server/platform/ids';
import { log } from '@/server/platform/log';
import { canParseUrl } from '@/server/platform/schema';
import { setErrorHeaders, toAppError, toEnvelope } from '@/server/trpc/error-table';
import { MAX_ANONYMOUS_BODY_BYTES, readCapped } from './rest/read-input';

/** The endpoints that the dashboard calls. Others are not passed to next-auth, because it answers them with texts and statuses of its own. */
const ACTIONS: Record<string, readonly ('GET' | 'POST')[]> = {
  providers: ['GET'],
  csrf: ['GET'],
  session: ['GET'],
  signin: ['GET'],
  signout: ['GET', 'POST'],
  'callback/credentials': ['POST'],
};

/** Whether next-auth accepts a callback URL. It answers others with status 500, and logs them as errors. */
function isCallbackUrl(text: string): boolean {
  const base = text.startsWith('/') ? 'http://localhost' : undefined;
  return canParseUrl(text, base) && /^https?:$/.test(new URL(text, base).protocol);
}

const FORM = 'application/x-www-form-urlencoded';

/**
 * Returns the request to pass to next-auth: without a callbackUrl that it rejects, and with no body or a size-limited form. next-auth reads the whole
 * body and requires it to be well-formed. Exported for tests.
 * @throws AppError PAYLOAD_TOO_LARGE, VALIDATION_ERROR
 */
export async function safeRequest(request: NextRequest, method: 'GET' | 'POST'): Promise<NextRequest> {
  const { headers } = request;
  const url = new URL(request.url);
  if (!url.searchParams.getAll('callbackUrl').every(isCallbackUrl)) url.searchParams.delete('callbackUrl');
  if (method === 'GET') return new NextRequest(url, { method, headers });
  const bytes = await readCapped(request, MAX_ANONYMOUS_BODY_BYTES);
  const [type = ''] = (headers.get('content-type') ?? '').split(';', 1);
  if (type.trim().toLowerCase() !== FORM) return new NextRequest(url, { method, headers });
  // next-auth searches the whole header for its content types, so this removes parameters.
  const own = new Headers(headers);
  own.set('content-type', FORM);
  return new NextRequest(url, { method, headers: own, body: new TextDecoder().decode(bytes) });
}

/** Deletes a malformed callback cookie, because next-auth answers 500 while a browser sends it. */
async function dropBadCookie(): Promise<void> {
  const jar = await cookies();
  const given = jar.get(CALLBACK_COOKIE)?.value;
  if (given && !isCallbackUrl(given)) jar.delete(CALLBACK_COOKIE);
}

async function answer(request: NextRequest): Promise<Response> {
  const nextauth = new URL(request.url).pathname.split('/').slice(3);
  const action = nextauth.join('/');
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  // Accepting error reports of browsers would let anyone write to the log.
  if (action === '_log' && method === 'POST') return new Response(null, { status: 204 });
  // Without an error in the URL, next-auth would report the error "undefined".
  if (action === 'error' && method === 'GET')
    return new Response(null, { status: 307, headers: { location: '/login' } });
  const methods = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (!methods) throw new AppError('NOT_FOUND', 'There is nothing at this URL.');
  const known = methods.find((name) => name === method);
  if (!known)
    return refuse(new AppError('METHOD_NOT_ALLOWED', `This URL accepts ${methods.join(', ')}.`), {
      allow: methods.join(', '),
    });
  await dropBadCookie();
  const context = { params: Promise.resolve({ nextauth }) };
  return asOutage(await NextAuth(await safeRequest(request, known), context, authOptions()));
}

/**
 * Converts next-auth's response to a sign-in that failed because the database is unavailable to 503. It is 401 for every failure, with the error's
 * code in a URL. Returns other responses unchanged.
 */
async function asOutage(response: Response): Promise<Response> {
  if (response.status !== 401) return response;
  const body: { url?: string } = await response.json();
  const error = toEnvelope(unavailable(null));
  const isOutage = canParseUrl(body.url ?? '') && new URL(body.url ?? '').searchParams.get('error') === error.code;
  if (!isOutage) return Response.json(body, response);
  const headers = new Headers(response.headers);
  setErrorHeaders(unavailable(null), headers);
  return Response.json({ ...body, error }, { status: error.status, headers });
}

function refuse(error: AppError, more: Record<string, string> = {}): Response {
  const envelope = toEnvelope(error);
  const headers = new Headers({ 'cache-control': 'no-store', ...more });
  setErrorHeaders(error, headers);
  return Response.json({ error: envelope }, { status: envelope.status, headers });
}

/** Answers `/api/auth/**` for the dashboard, with next-auth's response or the error envelope. Never throws. */
export async function handleNextAuth(request: NextRequest): Promise<Response> {
  try {
    return await answer(request);
  } catch (thrown) {
    const error = toAppError(thrown);
    const requestId = requestIdOf(request.headers.get('x-request-id'));
    if (error.code === 'INTERNAL') log.error({ err: thrown, requestId }, 'A request to next-auth failed');
    return refuse(error);
  }
}
