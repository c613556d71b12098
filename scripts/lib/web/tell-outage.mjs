// @ts-check

const RETRY_AFTER_SECONDS = 5;
/** Headers of the replaced body. */
const OF_THE_BODY = ['content-encoding', 'content-length', 'etag', 'link', 'transfer-encoding'];

/** Complete without scripts and files: Next's own error page is empty without its script. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${RETRY_AFTER_SECONDS}">
<title>Upwatch cannot reach its database</title>
<style>
  :root { color-scheme: light dark; font: 14px/1.6 system-ui, sans-serif; }
  main { max-width: 40rem; margin: 15vh auto; padding: 0 1rem; }
  h1 { font-size: 1.25rem; }
</style>
</head>
<body>
<main role="alert">
<h1>Upwatch cannot reach its database</h1>
<p>Checks and alerts resume once it is back. This page tries again every ${RETRY_AFTER_SECONDS} s.</p>
</main>
</body>
</html>
`;

/**
 * Answers 503 for a page that fails because the database is down: for Next, which does not pass on the cause, it is a 500. Call it before Next wraps
 * the response.
 * @param {import('node:http').ServerResponse} response
 * @param {import('../../../server/platform/request-facts').RequestFacts} facts
 */
export function tellOutage(response, facts) {
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
    // The head, which a first write implies, decides what becomes of the body.
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
