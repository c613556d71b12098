import { Resolver } from 'node:dns';
import { env } from '@/server/platform/env';
import { parseHosts } from './hosts-file';
import { parseResolvConf, type ResolvConf } from './resolv-conf';
import type { ResolvedAddress } from './types';
import { WatchedFile } from './watched-file';

/** How this machine resolves names. */
export interface NameSystem extends ResolvConf {
  hosts: Map<string, ResolvedAddress[]>;
}

const HOSTS = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';
/** Where the system keeps its servers in no file, they are asked for this often. */
const SERVERS_FOR_MS = 30_000;

const resolvConf = new WatchedFile('/etc/resolv.conf', parseResolvConf);
const hostsFile = new WatchedFile(HOSTS, parseHosts);

let known: { servers: string[]; until: number } | null = null;

/** The servers that the system itself names; those with a zone (fe80::1%eth0) are known to it alone. */
function serversOf(conf: ResolvConf): string[] {
  if (env.dnsServers.length > 0) return env.dnsServers;
  if (process.platform === 'linux' && conf.servers.length > 0) return conf.servers;
  const now = performance.now();
  if (!known || known.until < now) known = { servers: new Resolver().getServers(), until: now + SERVERS_FOR_MS };
  return known.servers;
}

let made: { conf: ResolvConf; servers: string; system: NameSystem } | null = null;

/** How this machine resolves names just now: the same object until something of it changes. */
export function nameSystem(): NameSystem {
  const conf = resolvConf.read();
  const hosts = hostsFile.read();
  const servers = serversOf(conf);
  const key = servers.join();
  if (made?.conf === conf && made.servers === key && made.system.hosts === hosts) return made.system;
  made = { conf, servers: key, system: { ...conf, servers, hosts } };
  return made.system;
}
