import { sha256 } from '@/server/platform/crypto';
import { isKnown } from '../is-known';
import { openApiDocument } from './document';

/** The address of the document. */
export const DOCUMENT_PATH = '/api/v1/openapi.json';

interface Served {
  text: string;
  etag: string;
}

let served: Served | undefined;

function load(): Served {
  if (!served) {
    const text = JSON.stringify(openApiDocument());
    served = { text, etag: `"${sha256(text).slice(0, 32)}"` };
  }
  return served;
}

/** Answers GET and HEAD for the document; 304 to a client that has it (RFC 9110 §13.1.2). */
export function serveDocument(request: Request, headers: Headers): Response {
  const { text, etag } = load();
  headers.set('cache-control', 'no-cache');
  headers.set('etag', etag);
  if (isKnown(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers });
  headers.set('content-type', 'application/json; charset=utf-8');
  return new Response(request.method === 'HEAD' ? null : text, { headers });
}
