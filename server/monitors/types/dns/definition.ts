import type { TypeDefinition } from '../definition';
import { DnsConfig } from './config';
import { parseResolver } from './resolver-address';

export const dns = {
  schema: DnsConfig,
  secrets: {},
  target: ({ host, recordType }) => `${host} ${recordType}`,
  /** `host` is only asked about. */
  endpoints: ({ resolver }) => {
    const address = resolver && parseResolver(resolver)?.address;
    return address ? [['resolver', address]] : [];
  },
  limitKey: ({ resolver }) => resolver ?? 'dns',
} satisfies TypeDefinition<DnsConfig>;
