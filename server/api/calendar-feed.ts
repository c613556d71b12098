import { findFeed } from '@/server/calendar-feeds/queries';
import { readCalendar } from '@/server/calendar-feeds/read-calendar';
import type { FeedKind } from '@/server/calendar-feeds/schema';
import { sha256 } from '@/server/platform/crypto';
import { withShare } from '@/server/platform/database/connection-share';
import { db } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { requestIdOf } from '@/server/platform/ids';
import { log } from '@/server/platform/log';
import { logFailure, setErrorHeaders, toAppError, toEnvelope } from '@/server/trpc/error-table';
import { limitFeedReads, limitUnknownPings } from '@/server/trpc/rate-limit';
import { inShareOfNetwork } from '@/server/trpc/share';
import { isKnown } from './is-known';

/** Calendar programs reload about once an hour. Programs that reload more often get a calendar of at most this age. */
const MAX_AGE_SECONDS = 60;

/** Answers the secret URL of a calendar feed. Never throws. Does not log the URL. */
async function answerFeed(kind: FeedKind, request: Request): Promise<Response> {
  const requestId = requestIdOf(request.headers.get('x-request-id'));
  const headers = new Headers({ 'cache-control': 'private, no-store', 'x-request-id': requestId });
  const [file = ''] = new URL(request.url).pathname.split('/').slice(3);
  try {
    const feed = file.endsWith('.ics') ? await findFeed(db, kind, file.slice(0, -'.ics'.length)) : null;
    if (!feed) {
      // Throttles guesses of tokens.
      await limitUnknownPings(request.headers.get('x-upwatch-address') ?? '', headers);
      throw new AppError('NOT_FOUND', 'There is no such calendar feed.');
    }
    await limitFeedReads(feed.id, headers);
    const calendar = await withShare({ team: feed.teamId }, () => readCalendar(db, feed));
    const etag = `"${sha256(calendar).slice(0, 32)}"`;
    headers.set('cache-control', `private, max-age=${MAX_AGE_SECONDS}`);
    headers.set('etag', etag);
    if (isKnown(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers });
    headers.set('content-type', 'text/calendar; charset=utf-8');
    return new Response(calendar, { headers });
  } catch (thrown) {
    const error = toAppError(thrown);
    logFailure(log, error, { requestId }, 'A calendar feed could not be read');
    setErrorHeaders(error, headers);
    const envelope = toEnvelope(error);
    headers.set('content-type', 'application/json; charset=utf-8');
    return new Response(JSON.stringify({ error: envelope }), { status: envelope.status, headers });
  }
}

/** `/api/on-call/{token}.ics`: shifts. */
export const onCallFeed = (request: Request) => inShareOfNetwork(request.headers, () => answerFeed('on_call', request));

/** `/api/maintenance/{token}.ics`: the maintenance windows of a team. */
export const maintenanceFeed = (request: Request) =>
  inShareOfNetwork(request.headers, () => answerFeed('maintenance', request));
