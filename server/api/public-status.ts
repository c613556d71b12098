import { sha256 } from '@/server/platform/crypto';
import { db } from '@/server/platform/db';
import { requestIdOf } from '@/server/platform/ids';
import { log } from '@/server/platform/log';
import { atomFeed } from '@/server/status-pages/feeds/atom';
import { badge } from '@/server/status-pages/feeds/badge';
import { rssFeed } from '@/server/status-pages/feeds/rss';
import { getPublicLogo } from '@/server/status-pages/get-public-logo';
import { getPublicStatusPage } from '@/server/status-pages/get-public-status-page';
import { hasPublicStatusPage } from '@/server/status-pages/has-public-status-page';
import type { PublicStatusPage } from '@/server/status-pages/schema';
import { setErrorHeaders } from './error-headers';
import { toAppError, toEnvelope } from './error-table';
import { logFailure } from './log-failure';

/** What Next hands to a route handler under `/status/[slug]`. */
export interface SlugRoute {
  params: Promise<{ slug: string }>;
}

type Handler = (request: Request, route: SlugRoute) => Promise<Response>;

/** What is for everyone may be read by any site's script, runs nothing, and is asked for again every time. */
const open = {
  'access-control-allow-origin': '*',
  'cache-control': 'no-cache',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
  'x-content-type-options': 'nosniff',
};

/** Whether an entity tag is among those of If-None-Match (RFC 9110 §13.1.2, weak comparison). */
function isKnown(request: Request, etag: string): boolean {
  const tags = request.headers
    .get('if-none-match')
    ?.split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''));
  return tags?.some((tag) => tag === etag || tag === '*') ?? false;
}

function answer(request: Request, body: BodyInit, etag: string, headers: Record<string, string>): Response {
  const all = { ...open, etag, ...headers };
  return isKnown(request, etag)
    ? new Response(null, { status: 304, headers: all })
    : new Response(body, { headers: all });
}

/** Whether strangers find a page under this slug. */
export function isPublicStatusPage(slug: string): Promise<boolean> {
  return hasPublicStatusPage(db, slug);
}

/** Runs a handler; what it throws becomes the error envelope, as everywhere. */
export function guarded(handle: (request: Request, slug: string) => Promise<Response>): Handler {
  return async (request, { params }) => {
    try {
      return await handle(request, (await params).slug);
    } catch (thrown) {
      const error = toAppError(thrown);
      const requestId = requestIdOf(request.headers.get('x-request-id'));
      logFailure(log, error, { requestId }, 'A public page could not be read');
      const headers = new Headers({ ...open, 'cache-control': 'no-store', 'x-request-id': requestId });
      setErrorHeaders(error, headers);
      const envelope = toEnvelope(error);
      return Response.json({ error: envelope }, { status: envelope.status, headers });
    }
  };
}

/** A handler that answers a page written in one format. */
export function written(contentType: string, write: (page: PublicStatusPage) => string): Handler {
  return guarded(async (request, slug) => {
    const text = write(await getPublicStatusPage(db, slug));
    return answer(request, text, `"${sha256(text).slice(0, 32)}"`, { 'content-type': contentType });
  });
}

export const getAtomFeed = written('application/atom+xml; charset=utf-8', atomFeed);
export const getRssFeed = written('application/rss+xml; charset=utf-8', rssFeed);
export const getBadge = written('image/svg+xml; charset=utf-8', badge);

/** What an open page asks for, to know whether what it shows is still so. */
export const getVersion = written('application/json; charset=utf-8', ({ version, checkedAt }) =>
  JSON.stringify({ version, checkedAt }),
);

/** The logo. Under the address of its upload it never changes, so it may be kept for good. */
export const getLogo = guarded(async (request, slug) => {
  const { bytes, contentType, version } = await getPublicLogo(db, slug);
  const isPinned = new URL(request.url).searchParams.get('v') === version;
  return answer(request, bytes as BodyInit, `"${version}"`, {
    'content-type': contentType,
    ...(isPinned && { 'cache-control': 'public, max-age=31536000, immutable' }),
  });
});

/** A browser's question whether a script of another site may send a conditional request. */
export function getAllowance(): Response {
  const headers = {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, HEAD, OPTIONS',
    'access-control-allow-headers': 'if-none-match',
    'access-control-max-age': '86400',
    allow: 'GET, HEAD, OPTIONS',
  };
  return new Response(null, { status: 204, headers });
}
