import { isRefused, type Ping } from '@/server/checks/record/store-ping';
import { MOST_BODY_BYTES, recordPing, toPing, toPush } from '@/server/monitors/record-ping';
import { isDatabaseAway } from '@/server/platform/database/database-away';
import { AppError } from '@/server/platform/errors';
import { requestIdOf } from '@/server/platform/ids';
import { log } from '@/server/platform/log';
import { logFailure, setErrorHeaders, toAppError, toEnvelope } from '@/server/trpc/error-table';
import { limitUnknownPings } from '@/server/trpc/rate-limit';
import { inShareOfNetwork } from '@/server/trpc/share';
import { keptPings } from './kept-pings';
import { notePingLost } from './listening';
import { PingLimit } from './ping-limit';

const METHODS = ['GET', 'HEAD', 'POST'];
/** Uptime Kuma accepts any method at its push URLs. */
const PUSH_METHODS = [...METHODS, 'PUT'];

/** Exported for tests. */
export const pingLimit = new PingLimit();

/**
 * Returns the first 10 KiB of a body. Reads and drops the rest, so that a job that sends its whole log still gets a response.
 * @throws AppError VALIDATION_ERROR if the body is truncated
 */
async function readBody({ body }: Request): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of (body ?? []) as unknown as AsyncIterable<Uint8Array>) {
      if (size < MOST_BODY_BYTES) parts.push(part);
      size += part.byteLength;
    }
  } catch (error) {
    throw new AppError('VALIDATION_ERROR', 'The request body was truncated.', { cause: error });
  }
  return Buffer.concat(parts).subarray(0, MOST_BODY_BYTES);
}

/**
 * Records a ping, or keeps it on disk while the database is unavailable.
 * @param cameAt the time of arrival in milliseconds since the epoch, because attempts to reach the database may take seconds
 * @returns false if it was kept
 * @throws the database's error if the ping could not be kept either
 */
async function accept(token: string, ping: Ping, cameAt: number): Promise<boolean> {
  try {
    pingLimit.note(token, await recordPing(ping));
    return true;
  } catch (error) {
    if (!isDatabaseAway(error)) throw error;
    const isKept = await keptPings()
      .keep(ping, pingLimit.teamOf(token), cameAt)
      .catch((failure: unknown) => {
        log.warn({ err: failure }, 'A ping could not be kept while the database is away');
        return false;
      });
    if (!isKept) throw error;
    return false;
  }
}

/**
 * Counts, parses and records the ping of a request.
 * @returns the status of the response: 202 for a ping that is recorded later
 * @throws AppError METHOD_NOT_ALLOWED, RATE_LIMITED, VALIDATION_ERROR, NOT_FOUND
 */
async function ping(request: Request, headers: Headers): Promise<200 | 202> {
  const cameAt = Date.now();
  const { pathname, searchParams } = new URL(request.url);
  const [place, token = '', signal = '', ...rest] = pathname.split('/').slice(2);
  const methods = place === 'push' ? PUSH_METHODS : METHODS;
  if (!methods.includes(request.method)) {
    headers.set('allow', methods.join(', '));
    throw new AppError('METHOD_NOT_ALLOWED', `This URL accepts ${methods.join(', ')}.`);
  }
  pingLimit.take(token);
  try {
    const body = await readBody(request);
    const isPush = place === 'push';
    const parsed =
      isPush && signal === ''
        ? toPush(token, searchParams)
        : toPing({ token, signal: isPush || rest.length > 0 ? 'nothing' : signal, body });
    const isRecorded = await accept(token, parsed, cameAt);
    return isRecorded ? 200 : 202;
  } catch (error) {
    // Throttles guesses of tokens; a job with a valid token is never affected.
    if (error instanceof AppError && error.code === 'NOT_FOUND') {
      await limitUnknownPings(request.headers.get('x-upwatch-address') ?? '', headers);
    }
    throw error;
  }
}

/** Answers a heartbeat's ping with a few bytes. Never throws. Does not log the URL, which contains a secret. */
export async function heartbeat(request: Request): Promise<Response> {
  const requestId = requestIdOf(request.headers.get('x-request-id'));
  const headers = new Headers({
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': requestId,
  });
  let status = 200;
  let body: unknown = { ok: true };
  try {
    status = await inShareOfNetwork(request.headers, () => ping(request, headers));
  } catch (thrown) {
    const error = toAppError(thrown);
    logFailure(log, error, { requestId }, 'A ping could not be processed');
    setErrorHeaders(error, headers);
    const envelope = toEnvelope(error);
    if (envelope.status >= 500 && !isRefused(error)) notePingLost();
    status = envelope.status;
    body = { error: envelope };
  }
  return new Response(request.method === 'HEAD' ? null : JSON.stringify(body), { status, headers });
}
