import type { TypeDefinition } from '../definition';
import { DnsConfig } from './config';
import { parseResolver } from './resolver-address';

export const dns = {
  schema: DnsConfig,
  secrets: {},
  componentName: 'Domain name',
  target: ({ host, recordType }) => `${host} ${recordType}`,
  request: ({ host, recordType, resolver }) => `${recordType} ${host}${resolver ? ` @${resolver}` : ''}`,
  endpoints: ({ resolver }) => {
    const address = resolver && parseResolver(resolver)?.address;
    return address ? [['resolver', address]] : [];
  },
  lookups: ({ host, resolver }) => (resolver === undefined ? [['host', host]] : []),
  limitKey: ({ resolver }) => resolver ?? 'dns',
} satisfies TypeDefinition<DnsConfig>;
