import { z } from 'zod';

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Header names whose values are, or may be, credentials: stored encrypted and returned as their mask. Deliberately broad: masking X-Author is better
 * than showing some service's X-Auth-Key or Subscription-Key to every viewer.
 */
export const secretHeader =
  /auth|cookie|token|secret|pass(word|phrase)|credential|signature|session|(^|[-_])key$|api-?key/i;

/** Header names whose values are no secrets. Any other header may carry a credential. */
export const harmlessHeader = /^(?:accept|accept-encoding|accept-language|cache-control|content-type|user-agent)$/i;

const credentialMask = /^••••.{0,4}$/su;

/** Whether a value is the mask of this header. The mask of a credential ends with its last characters. */
function isMask(name: string, value: string): boolean {
  if (harmlessHeader.test(name)) return false;
  return secretHeader.test(name) ? credentialMask.test(value) : value === '••••';
}

const isFieldValue = (name: string, value: string) => fieldValue.test(value) || isMask(name, value);

/** The schema of request headers, with names and values as in RFC 9110 §5. All but harmless ones may be sent back as their mask. */
export const Headers = z
  .record(z.string().max(128).regex(token), z.string().max(4096), {
    error: ({ code }) => (code === 'invalid_key' ? 'Enter a valid header name.' : undefined),
  })
  .superRefine((headers, ctx) => {
    const entries = Object.entries(headers);
    if (entries.length > 50) ctx.addIssue({ code: 'custom', message: 'Use at most 50 headers.' });
    for (const [name, value] of entries) {
      if (isFieldValue(name, value)) continue;
      const message = 'A header value cannot contain line breaks, control characters or characters outside Latin-1.';
      ctx.addIssue({ code: 'custom', path: [name], message });
    }
  })
  .default({});
