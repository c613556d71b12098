// @ts-check
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { reportOutage } from './report-outage.mjs';
import { readManifest, routePatterns } from './route-patterns.mjs';

/** Seconds; an API response takes a few milliseconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** @typedef {import('../../../server/platform/request-facts').RequestFacts} RequestFacts */

/** Shared with the application, which is bundled separately. */
const shared = /** @type {import('../../../server/platform/request-facts').Shared} */ (globalThis);

/** @param {import('node:http').ServerResponse} response */
export function isStream(response) {
  return String(response.getHeader('content-type') ?? '').startsWith('text/event-stream');
}

/**
 * Measures every request by its route, and with `write` logs it. Never measures or logs the path itself, because it may contain a token.
 * @param {{ write?: ((line: string) => void) | undefined, patternOf?: (path: string) => string }} [options]
 */
export function watchRequests({ write, patternOf = routePatterns(readManifest()) } = {}) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 });
  const durations = new Histogram({
    name: 'upwatch_http_request_duration_seconds',
    help: 'How long requests took, live streams left out.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  });
  /** @type {Map<string, RequestFacts>} */
  const open = new Map();
  new Gauge({
    name: 'upwatch_http_requests_open',
    help: 'Requests that are being answered, live streams among them.',
    registers: [registry],
    collect() {
      this.set(open.size);
    },
  });
  shared.upwatchRequests = open;
  shared.upwatchProcessMetrics = () => registry.metrics();

  /** @param {Record<string, unknown>} fields */
  function log(fields) {
    write?.(`${JSON.stringify({ level: 'info', time: new Date().toISOString(), pid: process.pid, ...fields })}\n`);
  }

  /**
   * @param {import('node:http').IncomingMessage} request
   * @param {import('node:http').ServerResponse} response
   * @param {string} requestId
   */
  return (request, response, requestId) => {
    const began = performance.now();
    const { method = '', url = '' } = request;
    /** @type {RequestFacts} */
    const facts = {};
    open.set(requestId, facts);
    reportOutage(response, facts);
    response.once('close', () => {
      open.delete(requestId);
      const ms = performance.now() - began;
      const { statusCode: status } = response;
      const route = facts.route ?? patternOf(url.split('?', 1)[0] ?? '');
      if (!isStream(response)) durations.observe({ method, route, status }, ms / 1000);
      if (route === '/_next/{file}') return;
      const aborted = response.writableFinished ? {} : { aborted: true };
      const actor = facts.actor ?? null;
      log({ msg: 'Request', method, route, status, ms: Math.round(ms * 10) / 10, requestId, actor, ...aborted });
    });
  };
}
