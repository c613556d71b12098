import { isIP } from 'node:net';
import type { ResolvedAddress } from './types';

/** The names of a hosts file (hosts(5)) in lower case, including aliases, each with its addresses in the file's order. */
export function parseHosts(text: string): Map<string, ResolvedAddress[]> {
  const hosts = new Map<string, ResolvedAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const each of names) {
      const name = each.replace(/\.$/, '');
      const known = hosts.get(name) ?? [];
      if (known.some((one) => one.address === address)) continue;
      hosts.set(name, [...known, { address, family: family === 4 ? 4 : 6 }]);
    }
  }
  return hosts;
}
