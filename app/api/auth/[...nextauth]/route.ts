import { NextRequest } from 'next/server';
import NextAuth from 'next-auth';
import { toAppError, toEnvelope } from '@/server/api/error-table';
import { MAX_BODY_BYTES, readCapped } from '@/server/api/rest/read-input';
import { authOptions } from '@/server/auth/next-auth';

interface RouteContext {
  params: Promise<{ nextauth: string[] }>;
}

// The person may have come by 127.0.0.1, localhost or APP_URL: next-auth is to answer at the host that was asked.
process.env.AUTH_TRUST_HOST = 'true';

/** next-auth reads a body whole and trusts it to be well-formed: it gets a form, which always is, or none, and capped. */
async function withSafeBody(request: NextRequest): Promise<NextRequest> {
  if (request.method !== 'POST') return request;
  const { headers, method, url } = request;
  const bytes = await readCapped(request, MAX_BODY_BYTES);
  const isForm = headers.get('content-type')?.includes('application/x-www-form-urlencoded');
  return new NextRequest(
    url,
    isForm ? { method, headers, body: new TextDecoder().decode(bytes) } : { method, headers },
  );
}

async function handle(request: NextRequest, context: RouteContext): Promise<Response> {
  // The browser's error reports would let anyone write into the log.
  const [action] = (await context.params).nextauth;
  if (action === '_log') return new Response(null, { status: 204 });
  // next-auth would name the error "undefined" where the address does not.
  if (action === 'error') return new Response(null, { status: 307, headers: { location: '/login' } });
  try {
    return await NextAuth(await withSafeBody(request), context, authOptions());
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code === 'INTERNAL') throw thrown;
    const envelope = toEnvelope(error);
    return Response.json({ error: envelope }, { status: envelope.status });
  }
}

export { handle as GET, handle as POST };
