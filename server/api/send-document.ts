import { isKnown } from './is-known';
import type { Representation } from './status-server/representation';

/** Answers GET and HEAD with a prepared document, uncompressed, or with 304 if the client has the current version (RFC 9110 §13.1.2). */
export function sendDocument(request: Request, headers: Headers, { type, etag, bodies }: Representation): Response {
  headers.set('etag', etag);
  if (isKnown(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers });
  headers.set('content-type', type);
  return new Response(request.method === 'HEAD' ? null : new Uint8Array(bodies.identity), { headers });
}
