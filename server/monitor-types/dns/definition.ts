import { z } from 'zod';
import { Confirm, Host, TimeoutMs } from '../config/confirm';
import { UpsideDown, upsideDownField } from '../config/upside-down';
import type { TypeDefinition } from '../definition';
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
  upsideDown: UpsideDown,
  confirm: Confirm,
});
export type DnsConfig = z.infer<typeof DnsConfig>;

export const dns = {
  schema: DnsConfig,
  form: {
    label: 'DNS',
    note: 'Records match',
    upWhen: 'The name server returns the expected records.',
    suggestName: ({ host, recordType }) => host && `${host} ${recordType}`,
    fields: {
      host: { label: 'Domain', kind: 'text', group: 'target', placeholder: 'northwind.example' },
      recordType: {
        label: 'Record type',
        kind: 'select',
        group: 'target',
        width: 'narrow',
        options: RecordType.options.map((value) => ({ value, label: value })),
      },
      resolver: {
        label: 'Name server',
        kind: 'text',
        group: 'target',
        optional: true,
        placeholder: '192.0.2.53',
        help: 'An IP address, with :port unless it is 53. Default: the name servers of the worker.',
      },
      'expect.match': {
        label: 'Expected records',
        kind: 'select',
        group: 'expected',
        options: [
          { value: undefined, label: 'Any record exists' },
          { value: 'any', label: 'At least one of these' },
          { value: 'all', label: 'All of these' },
          { value: 'exact', label: 'Exactly these' },
        ],
      },
      'expect.values': {
        label: 'Values',
        kind: 'lines',
        group: 'expected',
        when: { field: 'expect.match', is: ['any', 'all', 'exact'] },
        help: 'One per line, as in a zone file: 10 mail.example.com',
      },
      upsideDown: upsideDownField,
    },
  },
  secrets: {},
  target: ({ host, recordType }) => `${host} ${recordType}`,
  request: ({ host, recordType, resolver }) => `${recordType} ${host}${resolver ? ` @${resolver}` : ''}`,
  endpoints: ({ resolver }) => {
    const address = resolver && parseResolver(resolver)?.address;
    return address ? [['resolver', address]] : [];
  },
  lookups: ({ host, resolver }) => (resolver === undefined ? [['host', host]] : []),
  limitKey: ({ resolver }) => resolver ?? 'dns',
} satisfies TypeDefinition<DnsConfig>;
