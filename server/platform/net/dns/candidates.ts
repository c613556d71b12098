import type { ResolvConf } from './resolv-conf';

/**
 * The full names that a name may stand for, in the order in which they are asked for (resolv.conf(5), `search` and `ndots`).
 * As in musl, a name with enough dots stands for itself alone: a wildcard in a search domain must not answer for a name that is gone.
 */
export function candidatesOf(name: string, { search, ndots }: Pick<ResolvConf, 'search' | 'ndots'>): string[] {
  const dots = name.split('.').length - 1;
  if (dots >= ndots) return [name];
  const full = search.map((domain) => `${name}.${domain}`).filter((each) => each.length <= 253);
  return [...full, name];
}
