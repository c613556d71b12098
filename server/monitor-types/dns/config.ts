import { z } from 'zod';
import { Confirm, Host, TimeoutMs } from '@/server/monitor-types/config/confirm';
import { parseResolver } from './resolver-address';

export const RecordType = z.enum(['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'SOA', 'SRV', 'CAA', 'PTR']);
export type RecordType = z.infer<typeof RecordType>;

/** The expected records: any of the values, all of them, or exactly them. */
export const DnsExpect = z.strictObject({
  match: z.enum(['any', 'all', 'exact']),
  values: z.array(z.string().trim().min(1).max(4096)).min(1, 'Enter at least one value.').max(50),
});
export type DnsExpect = z.infer<typeof DnsExpect>;

/** A query to `resolver` or to the system's name servers; with `expect`, the records that the answer must contain. */
export const DnsConfig = z.strictObject({
  host: Host,
  recordType: RecordType,
  resolver: z
    .string()
    .trim()
    .refine(
      (text) => parseResolver(text) !== null,
      'Enter an IP address such as 192.0.2.1, with :port unless it is 53.',
    )
    .optional(),
  expect: DnsExpect.optional(),
  timeoutMs: TimeoutMs,
  confirm: Confirm,
});
export type DnsConfig = z.infer<typeof DnsConfig>;
