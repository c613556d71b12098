import { env } from '@/server/platform/env';

/**
 * What a page may load: nothing from elsewhere, and of inline scripts only those with this answer's nonce (CSP Level 3).
 * Development compiles with `eval`.
 */
export function pagePolicy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'${env.development ? " 'unsafe-eval'" : ''}`,
    // React writes style attributes, and toasts and the reference bring elements, which take no nonce.
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
