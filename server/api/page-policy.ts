import { env } from '@/server/platform/env';

/**
 * Returns the content security policy of a page (CSP Level 3): nothing from other origins, and only inline scripts with this response's nonce.
 * Development mode needs `eval`.
 */
export function pagePolicy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'${env.development ? " 'unsafe-eval'" : ''}`,
    // React writes style attributes, and toasts and the reference insert elements, which have no nonce.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
