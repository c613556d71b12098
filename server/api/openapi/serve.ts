import { readFile } from 'node:fs/promises';
import { env } from '@/server/platform/env';
import { sendDocument } from '../send-document';
import { type Representation, represent } from '../status-server/representation';

/** The path of the document. */
export const DOCUMENT_PATH = '/api/v1/openapi.json';

/** The interface between the web process (scripts/web.mjs) and the application, which is bundled separately. */
export interface DocumentShared {
  /** The document after its first request. The web process then sends it, compressed once; Next would compress it for each request. */
  upwatchDocument?: { path: string; document: Representation; headers: Record<string, string> };
}

const shared = globalThis as DocumentShared;

/**
 * The document with a placeholder for the URL of the instance, written by `writeDocument` (scripts/lib/build/bundle.mjs). The path is relative to the
 * project's root, where every process of the product runs.
 */
const FILE = './.build/openapi.txt';

async function read(): Promise<Representation> {
  const text = await readFile(/* turbopackIgnore: true */ FILE, 'utf8');
  const end = text.indexOf('\n');
  const document = text.slice(end + 1).replaceAll(text.slice(0, end), env.appUrl);
  return represent('application/json; charset=utf-8', document);
}

let served: Promise<Representation> | undefined;

/** Answers GET and HEAD for the document, with 304 if the client has the current version (RFC 9110 §13.1.2). */
export async function serveDocument(request: Request, headers: Headers): Promise<Response> {
  served ??= read().catch((error: unknown) => {
    served = undefined;
    throw error;
  });
  const document = await served;
  headers.set('cache-control', 'no-cache');
  const { 'x-request-id': _, ...constant } = Object.fromEntries(headers);
  shared.upwatchDocument ??= { path: DOCUMENT_PATH, document, headers: constant };
  return sendDocument(request, headers, document);
}
