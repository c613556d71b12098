import { Resolver } from 'node:dns';
import { isIP } from 'node:net';
import { env } from '@/server/platform/env';
import { parseResolvConf, type ResolvConf } from './resolv-conf';
import type { ResolvedAddress } from './types';
import { WatchedFile } from './watched-file';

/** This machine's resolver settings. */
export interface NameSystem extends ResolvConf {
  hosts: Map<string, ResolvedAddress[]>;
}

const HOSTS = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';
/** The polling interval on systems without a file of servers. */
const SERVERS_FOR_MS = 30_000;

/** Parses a hosts file (hosts(5)). Returns each name and alias, in lower case, with its distinct addresses in file order. Skips invalid lines. */
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

const resolvConf = new WatchedFile('/etc/resolv.conf', parseResolvConf);
const hostsFile = new WatchedFile(HOSTS, parseHosts);

let known: { servers: string[]; until: number } | null = null;

/**
 * Returns the name servers: those of DNS_SERVERS, of resolv.conf on Linux, or else those that the system reports. Only the system knows those with a
 * zone (fe80::1%eth0).
 */
function serversOf(conf: ResolvConf): string[] {
  if (env.dnsServers.length > 0) return env.dnsServers;
  if (process.platform === 'linux' && conf.servers.length > 0) return conf.servers;
  const now = performance.now();
  if (!known || known.until < now) known = { servers: new Resolver().getServers(), until: now + SERVERS_FOR_MS };
  return known.servers;
}

let made: { conf: ResolvConf; servers: string; system: NameSystem } | null = null;

/** Returns the current resolver settings; the same object until something changes. */
export function nameSystem(): NameSystem {
  const conf = resolvConf.read();
  const hosts = hostsFile.read();
  const servers = serversOf(conf);
  const key = servers.join();
  if (made?.conf === conf && made.servers === key && made.system.hosts === hosts) return made.system;
  made = { conf, servers: key, system: { ...conf, servers, hosts } };
  return made.system;
}
