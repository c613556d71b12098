import { z } from 'zod';
import { canParseUrl } from '@/server/platform/schema';

/**
 * Returns the schema of a URL with one of these schemes, without credentials, which have encrypted fields of their own.
 * @param credentials the error for a URL with credentials
 */
export function addressOf(schemes: [secure: string, plain: string], credentials: string) {
  const starts = schemes.map((scheme) => `${scheme}://`).join(' or ');
  return z
    .string()
    .trim()
    .max(2048, { abort: true })
    .superRefine((text, ctx) => {
      const issue = (message: string) => ctx.addIssue({ code: 'custom', message });
      if (text === '') return issue('Enter a URL.');
      if (!canParseUrl(text)) return issue(`Enter a complete URL that starts with ${starts}.`);
      const url = new URL(text);
      if (!schemes.includes(url.protocol.slice(0, -1))) return issue(`Enter a URL that starts with ${starts}.`);
      if (url.username || url.password) return issue(credentials);
    });
}
