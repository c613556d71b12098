import { definitionOf, type MonitorType } from '@/server/monitors/schema';

/** A monitor as far as its name on a status page depends on it; `target` is by `targetOf`. */
export interface Named {
  name: string;
  type: MonitorType;
  target: string;
}

/** A host name that ends in a top-level domain, an IPv4 address or an IPv6 address in brackets, with what an address adds. */
const ADDRESS =
  /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^\s/@]+@)?(?:(?:[\p{L}\d_-]+\.)+(?:\p{L}{2,}|xn--[a-z\d-]+)|\d{1,3}(?:\.\d{1,3}){3}|localhost|\[[\da-f:.]+\])\.?(?::\d+)?(?:[/?#]\S*)?$/iu;
/** A host without a dot, known as one by the scheme before it or the port after it. */
const LOCAL_ADDRESS = /^(?:[a-z][a-z0-9+.-]*:\/\/\S+|[a-z][\w-]*:\d+(?:\/\S*)?)$/i;
const IPV6 = /^[\da-f]*:[\da-f:.]*:[\da-f.]*$/i;
/** What surrounds an address in a sentence. */
const AROUND = /^[("'<]+|[)"'>,;:!?]+$/g;

function isAddress(word: string): boolean {
  return ADDRESS.test(word) || LOCAL_ADDRESS.test(word) || IPV6.test(word);
}

/** Whether a monitor's name is or contains an address. */
export function namesAddress({ name, target }: Pick<Named, 'name' | 'target'>): boolean {
  if (name.trim() === target) return true;
  return name.split(/\s+/).some((word) => isAddress(word.replace(AROUND, '')) || isAddress(word));
}

/** The default component name: the monitor's name, unless that is an address. */
export function defaultName(monitor: Named): string {
  return namesAddress(monitor) ? definitionOf(monitor.type).componentName : monitor.name;
}

/**
 * What the components of a page are called, in its order: the display name that was entered, else the default. Generic
 * names that stand on the page already are numbered: "Website", "Website 2".
 */
export function componentNames(monitors: (Named & { displayName: string | null })[]): string[] {
  const taken = new Set(monitors.map((each) => each.displayName ?? (namesAddress(each) ? '' : each.name)));
  return monitors.map((each) => {
    if (each.displayName !== null) return each.displayName;
    const name = defaultName(each);
    if (!namesAddress(each)) return name;
    let numbered = name;
    for (let number = 2; taken.has(numbered); number += 1) numbered = `${name} ${number}`;
    taken.add(numbered);
    return numbered;
  });
}

/**
 * The title of an incident that a check opened, for customers: where it is still the one that Upwatch wrote, it names the
 * component and not the monitor.
 */
export function publicTitle(title: string, monitor: Pick<Named, 'name' | 'target'>, componentName: string): string {
  const [, subject, state] = /^(.+) is (down|degraded|slow)$/s.exec(title) ?? [];
  if (subject === undefined) return title;
  const isOurs = subject === monitor.name || namesAddress({ name: subject, target: monitor.target });
  return isOurs ? `${componentName} is ${state}` : title;
}
