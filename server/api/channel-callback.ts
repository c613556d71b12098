import { acknowledgeByCallback } from '@/server/incidents/acknowledgments/acknowledge-by-callback';
import { type ChannelCallback, readCallback } from '@/server/notifications/acknowledgments/read-callback';
import type { Post } from '@/server/notifications/providers/post';
import { post } from '@/server/notifications/providers/post';
import { db } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { requestIdOf } from '@/server/platform/ids';
import { log } from '@/server/platform/log';
import { logFailure, setErrorHeaders, toAppError, toEnvelope } from '@/server/trpc/error-table';
import { limitCallbacks, limitUnknownPings } from '@/server/trpc/rate-limit';
import { inShareOfNetwork } from '@/server/trpc/share';
import { readCapped } from './rest/read-input';

const FOLLOW_UP_MS = 10_000;
/** The maximum size of a callback. More than a form with the largest message and its button takes, which the provider repeats. */
const MOST_BODY_BYTES = 256 * 1024;

/** Sends the follow-up after the response, because providers wait only 3 s for a response. The incident stays acknowledged if it fails. */
async function sendFollowUp(followUp: Post, { teamId, channelId }: ChannelCallback): Promise<void> {
  const result = await post(followUp, { teamId, signal: AbortSignal.timeout(FOLLOW_UP_MS) });
  if (!result.ok)
    log.warn({ channelId, statusCode: result.statusCode }, 'The answer to a pressed button did not arrive');
}

async function authenticate(request: Request, headers: Headers): Promise<ChannelCallback> {
  const [type = '', channelId = '', ...rest] = new URL(request.url).pathname.split('/').slice(3);
  const body = Buffer.from(await readCapped(request, MOST_BODY_BYTES));
  const signed = { headers: request.headers, body, now: new Date() };
  try {
    return await readCallback(db, { type, channelId: rest.length > 0 ? '' : channelId, request: signed });
  } catch (error) {
    if (error instanceof AppError) await limitUnknownPings(request.headers.get('x-upwatch-address') ?? '', headers);
    throw error;
  }
}

async function take(request: Request, headers: Headers, requestId: string): Promise<object | null> {
  if (request.method !== 'POST') throw new AppError('METHOD_NOT_ALLOWED', 'This URL accepts POST.');
  const callback = await authenticate(request, headers);
  await limitCallbacks(callback.channelId, headers);
  const ctx = {
    db,
    requestId,
    log: log.child({ requestId }),
    actor: { kind: 'anonymous' as const },
    address: request.headers.get('x-upwatch-address') ?? 'unknown',
    userAgent: request.headers.get('user-agent'),
  };
  const { body, followUp } = await acknowledgeByCallback({ ctx, input: callback });
  if (followUp) void sendFollowUp(followUp, callback);
  return body;
}

/** Answers `/api/callbacks/{kind}/{channelId}`, to which providers send clicks on buttons. Never throws. */
export async function handleChannelCallback(request: Request): Promise<Response> {
  const requestId = requestIdOf(request.headers.get('x-request-id'));
  const headers = new Headers({ 'cache-control': 'no-store', 'x-request-id': requestId });
  try {
    const body = await inShareOfNetwork(request.headers, () => take(request, headers, requestId));
    return body ? Response.json(body, { headers }) : new Response(null, { headers });
  } catch (thrown) {
    const error = toAppError(thrown);
    logFailure(log, error, { requestId }, 'A callback of a channel could not be handled');
    if (error.code === 'METHOD_NOT_ALLOWED') headers.set('allow', 'POST');
    setErrorHeaders(error, headers);
    const envelope = toEnvelope(error);
    return Response.json({ error: envelope }, { status: envelope.status, headers });
  }
}
