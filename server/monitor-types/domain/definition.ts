import { z } from 'zod';
import { Confirm, TimeoutMs } from '../config/confirm';
import type { TypeDefinition } from '../definition';

/** A domain whose registration must not expire. If it expires within `warnDays`, the monitor is degraded. */
export const DomainConfig = z.strictObject({
  domain: z
    .string()
    .trim()
    .toLowerCase()
    .min(1, 'Enter a domain.')
    .max(253)
    .regex(
      /^(?:[A-Za-z0-9_-]{1,63}\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$/,
      'Enter a registered domain, such as northwind.example.',
    )
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
    upWhen: 'The domain is registered and does not expire soon. Its registry is asked at most once an hour.',
    suggestName: ({ domain: name }) => name && `Registration of ${name}`,
    fields: {
      domain: {
        label: 'Domain',
        kind: 'text',
        group: 'target',
        placeholder: 'northwind.example',
        help: 'Without www or other subdomains. Not every registry publishes when domains expire.',
      },
      warnDays: {
        label: 'Days of warning before expiry',
        kind: 'number',
        group: 'expected',
        help: 'The monitor is degraded during this time. 0 turns warnings off; an expired domain is always down.',
      },
    },
  },
  secrets: {},
  componentName: 'Domain',
  target: (config) => config.domain,
  request: (config) => `rdap ${config.domain}`,
  endpoints: () => [],
  lookups: (config) => [['domain', config.domain]],
  limitKey: (config) => config.domain,
} satisfies TypeDefinition<DomainConfig>;
