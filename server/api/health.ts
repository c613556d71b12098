import { databaseNow } from '@/server/platform/database-now';
import { AppError, unavailable } from '@/server/platform/errors';
import { log } from '@/server/platform/log';
import { setErrorHeaders } from '@/server/trpc/error-headers';
import { toEnvelope } from '@/server/trpc/error-table';
import { logFailure } from '@/server/trpc/log-failure';

const headers = { 'cache-control': 'no-store' };

/** Answers every unsupported method of these read-only addresses. */
export function refuseMethod(): Response {
  const error = toEnvelope(new AppError('METHOD_NOT_ALLOWED', 'This URL accepts GET, HEAD.'));
  return Response.json({ error }, { status: error.status, headers: { ...headers, allow: 'GET, HEAD' } });
}

/** Liveness: this process is running. */
export function health(): Response {
  return Response.json({ status: 'ok' }, { headers });
}

/** Readiness: this process reaches the database; UNAVAILABLE otherwise. */
export async function ready(): Promise<Response> {
  try {
    await databaseNow();
    return Response.json({ status: 'ready' }, { headers });
  } catch (error) {
    const failure = unavailable(error);
    logFailure(log, failure, {}, 'Not ready');
    const answer = new Headers(headers);
    setErrorHeaders(failure, answer);
    return Response.json({ error: toEnvelope(failure) }, { status: 503, headers: answer });
  }
}
