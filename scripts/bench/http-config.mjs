// @ts-check

/**
 * Returns the config of an http monitor as stored.
 * @param {string} url
 * @param {Record<string, string>} [headers]
 */
export const httpConfig = (url, headers = {}) => ({
  url,
  method: 'GET',
  headers,
  expectedStatus: ['200-299'],
  followRedirects: true,
  maxRedirects: 10,
  timeoutMs: 10_000,
  verifyTls: true,
  certificateWarnDays: 14,
  ipFamily: 'auto',
  assertions: [],
  confirm: { failures: 2, recoveries: 1, retryDelayMs: 2000, degraded: 3 },
});
