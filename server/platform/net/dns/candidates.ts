import type { ResolvConf } from './resolv-conf';

/**
 * The candidates for a name, in query order (resolv.conf(5), `search` and `ndots`). As in musl, a name with enough dots is its only candidate: a
 * wildcard in a search domain must not answer for a name that is gone.
 */
export function candidatesOf(name: string, { search, ndots }: Pick<ResolvConf, 'search' | 'ndots'>): string[] {
  const dots = name.split('.').length - 1;
  if (dots >= ndots) return [name];
  const full = search.map((domain) => `${name}.${domain}`).filter((each) => each.length <= 253);
  return [...full, name];
}
