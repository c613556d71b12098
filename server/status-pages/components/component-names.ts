import type { MonitorType } from '@/server/monitor-lists/schema';

/** The default name of a component whose monitor is named by its address. */
const genericNames: Record<MonitorType, string> = {
  http: 'Website',
  tcp: 'Service',
  ping: 'Server',
  dns: 'Domain name',
  tls: 'Certificate',
  domain: 'Domain',
  websocket: 'Live connection',
  grpc: 'Service',
  smtp: 'Mail server',
  redis: 'Cache',
  postgresql: 'Database',
  mysql: 'Database',
  mqtt: 'Message broker',
  ssh: 'Server',
  mailbox: 'Mailboxes',
  multistep: 'Website',
  heartbeat: 'Scheduled job',
};

/** The fields of a monitor that determine its component name; `target` comes from `targetOf`. */
export interface Named {
  name: string;
  type: MonitorType;
  target: string;
}

/**
 * A host name with a top-level domain, an IPv4 address or a bracketed IPv6 address, optionally with scheme, port and
 * path.
 */
const ADDRESS =
  /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^\s/@]+@)?(?:(?:[\p{L}\d_-]+\.)+(?:\p{L}{2,}|xn--[a-z\d-]+)|\d{1,3}(?:\.\d{1,3}){3}|localhost|\[[\da-f:.]+\])\.?(?::\d+)?(?:[/?#]\S*)?$/iu;
/** A host without a dot, identified by a scheme before or a port after it. */
const LOCAL_ADDRESS = /^(?:[a-z][a-z0-9+.-]*:\/\/\S+|[a-z][\w-]*:\d+(?:\/\S*)?)$/i;
const IPV6 = /^[\da-f]*:[\da-f:.]*:[\da-f.]*$/i;
/** Punctuation around an address in a sentence. */
const AROUND = /^[("'<]+|[)"'>,;:!?]+$/g;

function isAddress(word: string): boolean {
  return ADDRESS.test(word) || LOCAL_ADDRESS.test(word) || IPV6.test(word);
}

/** Returns whether a monitor's name is or contains an address. */
export function namesAddress({ name, target }: Pick<Named, 'name' | 'target'>): boolean {
  if (name.trim() === target) return true;
  return name.split(/\s+/).some((word) => isAddress(word.replace(AROUND, '')) || isAddress(word));
}

/** Returns the default component name: the monitor's name, or a generic name such as "Website" if that contains an address. */
export function defaultName(monitor: Named): string {
  return namesAddress(monitor) ? genericNames[monitor.type] : monitor.name;
}

/**
 * Returns the component names of a page in its order: the entered display name, otherwise the default. Duplicate generic names are numbered:
 * "Website", "Website 2".
 */
export function componentNames(monitors: (Named & { displayName: string | null })[]): string[] {
  const taken = new Set(monitors.map((each) => each.displayName ?? (namesAddress(each) ? '' : each.name)));
  // The last number of each name. The search goes on there, because a page may have hundreds of the same name.
  const numbers = new Map<string, number>();
  return monitors.map((each) => {
    if (each.displayName !== null) return each.displayName;
    const name = defaultName(each);
    if (!namesAddress(each)) return name;
    let number = numbers.get(name) ?? 1;
    const numbered = () => (number === 1 ? name : `${name} ${number}`);
    while (taken.has(numbered())) number += 1;
    numbers.set(name, number);
    taken.add(numbered());
    return numbered();
  });
}

/**
 * Returns the public title of an incident. Replaces the monitor's name in a generated title with the component name; other titles stay as they are.
 */
export function publicTitle(title: string, monitor: Pick<Named, 'name' | 'target'>, componentName: string): string {
  const [, subject, state] = /^(.+) is (down|degraded|slow)$/s.exec(title) ?? [];
  if (subject === undefined) return title;
  const isOurs = subject === monitor.name || namesAddress({ name: subject, target: monitor.target });
  return isOurs ? `${componentName} is ${state}` : title;
}
