import { z } from 'zod';
import { canParseUrl } from '@/server/platform/schema';
import { Confirm, TimeoutMs } from '../config/confirm';
import type { TypeDefinition } from '../definition';

const DOMAIN = /^(?:[A-Za-z0-9_-]{1,63}\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$/;

/** Returns what to enter instead of an invalid domain: for an international name its ASCII form, which registries use. */
function hintFor(domain: string): string {
  const url = `http://${domain}`;
  const ascii = canParseUrl(url) ? new URL(url).hostname : '';
  return DOMAIN.test(ascii) && ascii.includes('xn--')
    ? `Enter the ASCII form of the domain: ${ascii}.`
    : 'Enter a registered domain, such as northwind.example.';
}

/** A domain whose registration must not expire. If it expires within `warnDays`, the monitor is degraded. */
export const DomainConfig = z.strictObject({
  domain: z
    .string()
    .trim()
    .toLowerCase()
    .min(1, 'Enter a domain.')
    .max(253)
    .regex(DOMAIN, { error: ({ input }) => hintFor(String(input)) })
    .meta({ description: 'As it is registered, without subdomains; an international name in its ASCII form (xn--…).' }),
  warnDays: z.int().min(0).max(365).default(30),
  timeoutMs: TimeoutMs,
  confirm: Confirm,
});
export type DomainConfig = z.infer<typeof DomainConfig>;

export const domain = {
  schema: DomainConfig,
  form: {
    label: 'Domain',
    note: 'Registration, expiry',
    upWhen: 'The domain is registered and does not expire soon. Its registry is asked about once an hour.',
    suggestName: ({ domain: name }) => name && `Registration of ${name}`,
    fields: {
      domain: {
        label: 'Domain',
        kind: 'text',
        group: 'target',
        placeholder: 'northwind.example',
        help: 'Without www or other subdomains. If its registry does not publish when domains expire, set the days of warning to 0.',
      },
      warnDays: {
        label: 'Days of warning before expiry',
        kind: 'number',
        group: 'expected',
        help: 'The monitor is degraded during this time. 0 turns warnings off; an expired domain is always down. Registries such as that of .com first renew an unpaid domain themselves.',
      },
    },
  },
  secrets: {},
  target: (config) => config.domain,
  request: (config) => `rdap ${config.domain}`,
  endpoints: () => [],
  // One for the checks of all registries.
  limitKey: () => 'rdap',
  answersFromCache: true,
} satisfies TypeDefinition<DomainConfig>;
