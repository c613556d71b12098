// @ts-check
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** @typedef {import('../../../server/api/status-server/representation').Representation} Representation */

const BASE = '/_next/static/';
/** By extension. Next answers requests for other files. */
const TYPES = new Map([
  ['.js', 'application/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.woff2', 'font/woff2'],
]);
/** Liveness of this process. Answered here, because requests of the application wait while it is busy. */
const HEALTH = '/api/health';
const NOT_STORED = { 'cache-control': 'no-store' };
/** File names contain a hash of the content. */
const FOR_GOOD = { 'cache-control': 'public, max-age=31536000, immutable' };

/** Set by the application, which is bundled separately. */
const shared = /** @type {import('../../../server/api/openapi/serve').DocumentShared} */ (globalThis);

/**
 * Returns the function that answers requests for liveness and built files, and for the OpenAPI document once the application has created it; it
 * returns false for other requests. Each file is compressed once, because Next takes up to 36 ms of CPU time per request.
 * @param {Pick<typeof import('../../../server/api/front'), 'represent' | 'formFor' | 'isKnown' | 'noteRequest' | 'liveness'>} front
 * @param {{ folder?: string, headers: Record<string, string> }} options headers of every response
 * @returns {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse, path: string) => boolean}
 */
export function constantAnswers(
  { represent, formFor, isKnown, noteRequest, liveness },
  { folder = '.next/static', headers },
) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = new Set(
    names.filter((name) => TYPES.has(extname(name))).map((name) => BASE + name.replaceAll('\\', '/')),
  );
  /** @type {Map<string, Promise<Representation>>} */
  const kept = new Map([[HEALTH, represent('application/json', Buffer.from(JSON.stringify(liveness)))]]);

  /** @param {string} path */
  async function read(path) {
    const content = await readFile(join(folder, path.slice(BASE.length)));
    return represent(TYPES.get(extname(path)) ?? '', content);
  }

  /**
   * @param {import('node:http').IncomingMessage} request
   * @param {import('node:http').ServerResponse} response
   * @param {Representation} document
   * @param {Record<string, string>} more headers
   */
  function send(request, response, document, more) {
    const accepted = /** @type {string | undefined} */ (request.headers['accept-encoding']);
    const { body, etag, encoding } = formFor(document, accepted);
    const common = { ...headers, ...more, etag, vary: 'accept-encoding' };
    if (isKnown(request.headers['if-none-match'], etag)) return void response.writeHead(304, common).end();
    response.writeHead(200, {
      ...common,
      'content-type': document.type,
      'content-length': body.length,
      ...(encoding && { 'content-encoding': encoding }),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  return (request, response, path) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const { upwatchDocument: made } = shared;
    if (made && path === made.path) {
      noteRequest(String(request.headers['x-request-id']), { route: path });
      send(request, response, made.document, made.headers);
      return true;
    }
    if (path !== HEALTH && !files.has(path)) return false;
    const reading = kept.get(path) ?? read(path);
    kept.set(path, reading);
    reading.then(
      (document) => send(request, response, document, path === HEALTH ? NOT_STORED : FOR_GOOD),
      () => {
        kept.delete(path);
        response.destroy();
      },
    );
    return true;
  };
}
