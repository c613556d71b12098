// @ts-check
import { noticePage } from './notice-page.mjs';

const RETRY_AFTER_SECONDS = 5;
/** The headers that describe the replaced body. */
const OF_THE_BODY = ['content-encoding', 'content-length', 'etag', 'link', 'transfer-encoding'];

const PAGE = noticePage({
  title: 'Upwatch cannot reach its database',
  text: `Checks and alerts resume once it is back. This page tries again every ${RETRY_AFTER_SECONDS} s.`,
  seconds: RETRY_AFTER_SECONDS,
});

/**
 * Changes the 500 that Next sends for a page that fails because of a database outage to 503. Must be called before Next wraps the response.
 * @param {import('node:http').ServerResponse} response
 * @param {import('../../../server/platform/request-facts').RequestFacts} facts
 */
export function reportOutage(response, facts) {
  const { writeHead, write, end } = /** @type {Record<string, (...args: any[]) => any>} */ (
    /** @type {unknown} */ (response)
  );
  let isReplaced = false;
  response.writeHead = (/** @type {number} */ status, /** @type {any[]} */ ...rest) => {
    if (status !== 500 || !facts.isDatabaseAway) return writeHead?.call(response, status, ...rest);
    response.setHeader('retry-after', String(RETRY_AFTER_SECONDS));
    isReplaced = String(response.getHeader('content-type')).startsWith('text/html');
    if (isReplaced) for (const name of OF_THE_BODY) response.removeHeader(name);
    return writeHead?.call(response, 503, ...rest);
  };
  /** @param {any[]} args the last one may be a callback */
  response.write = (...args) => {
    // The head decides whether the body is replaced, and a first write implies the head.
    if (!response.headersSent) response.writeHead(response.statusCode);
    if (!isReplaced) return write?.call(response, ...args);
    const done = args.at(-1);
    if (typeof done === 'function') queueMicrotask(() => done());
    return true;
  };
  /** @param {any[]} args */
  response.end = (...args) => {
    if (facts.isDatabaseAway && !response.headersSent && response.statusCode === 500) response.writeHead(500);
    return isReplaced
      ? end?.call(response, PAGE, ...args.filter((arg) => typeof arg === 'function'))
      : end?.call(response, ...args);
  };
}
