import type { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { RecordType } from '@/server/monitors/schema';
import { bareName, canonicalIPv6 } from '../records';

/** The name whose PTR record tells the name of an address (RFC 1035 §3.5, RFC 3596 §2.5); a name is its own. */
export function reverseName(host: string): string {
  if (isIP(host) === 4) return `${host.split('.').reverse().join('.')}.in-addr.arpa`;
  if (isIP(host) !== 6) return host;
  const [head = '', tail = ''] = canonicalIPv6(host).split('::');
  const parts = (text: string) => text.split(':').filter((part) => part !== '');
  const missing = 8 - parts(head).length - parts(tail).length;
  const groups = [...parts(head), ...Array<string>(missing).fill('0'), ...parts(tail)];
  const nibbles = groups.map((group) => group.padStart(4, '0')).join('');
  return `${[...nibbles].reverse().join('.')}.ip6.arpa`;
}

/** Asks for one type of record. Each comes as a line of a zone file has it: names in lower case, without the last dot. */
export async function queryRecords(resolver: Resolver, type: RecordType, host: string): Promise<string[]> {
  switch (type) {
    case 'A':
      return resolver.resolve4(host);
    case 'AAAA':
      return (await resolver.resolve6(host)).map(canonicalIPv6);
    case 'CNAME':
      return (await resolver.resolveCname(host)).map(bareName);
    case 'NS':
      return (await resolver.resolveNs(host)).map(bareName);
    case 'PTR':
      return (await resolver.resolvePtr(reverseName(host))).map(bareName);
    case 'TXT':
      return (await resolver.resolveTxt(host)).map((parts) => parts.join(''));
    case 'MX':
      return (await resolver.resolveMx(host)).map(({ priority, exchange }) => `${priority} ${bareName(exchange)}`);
    case 'SRV':
      return (await resolver.resolveSrv(host)).map(
        ({ priority, weight, port, name }) => `${priority} ${weight} ${port} ${bareName(name)}`,
      );
    case 'SOA': {
      const { nsname, hostmaster, serial, refresh, retry, expire, minttl } = await resolver.resolveSoa(host);
      return [`${bareName(nsname)} ${bareName(hostmaster)} ${serial} ${refresh} ${retry} ${expire} ${minttl}`];
    }
    case 'CAA':
      return (await resolver.resolveCaa(host)).map((record) => {
        const [tag = '', value = ''] = Object.entries(record).find(([key]) => key !== 'critical') ?? [];
        return `${record.critical} ${tag} ${String(value)}`;
      });
    default:
      return type satisfies never;
  }
}
