import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import type { DnsRecord } from '@/server/platform/net';
import { bareName, canonicalIPv6 } from './records';

/** Returns the reverse name of an address for a PTR query (RFC 1035 §3.5, RFC 3596 §2.5); a name is returned unchanged. */
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

/** Returns a name as it is queried: without a trailing dot, international names in Punycode. */
export function questionName(host: string): string {
  return (domainToASCII(host) || host).replace(/(.)\.$/, '$1');
}

/** Returns a record in zone file format: names in lower case, without the trailing dot. Empty for an unsupported type. */
export function toLine(record: DnsRecord): string {
  switch (record.type) {
    case 'A':
      return record.data;
    case 'AAAA':
      return canonicalIPv6(record.data);
    case 'CNAME':
    case 'NS':
    case 'PTR':
      return bareName(record.data);
    case 'TXT':
      return Buffer.concat([record.data].flat().map((part) => Buffer.from(part))).toString();
    case 'MX':
      return `${record.data.preference} ${bareName(record.data.exchange)}`;
    case 'SRV': {
      const { priority, weight, port, target } = record.data;
      return `${priority} ${weight} ${port} ${bareName(target)}`;
    }
    case 'SOA': {
      const { mname, rname, serial, refresh, retry, expire, minimum } = record.data;
      return `${bareName(mname)} ${bareName(rname)} ${serial} ${refresh} ${retry} ${expire} ${minimum}`;
    }
    case 'CAA':
      return `${record.data.flags} ${record.data.tag} ${record.data.value}`;
    default:
      return '';
  }
}
