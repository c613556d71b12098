/** A machine's resolver settings (resolv.conf(5)). */
export interface ResolvConf {
  servers: string[];
  /** Domains appended to a short name, in order. */
  search: string[];
  /** A name with this many dots is queried as it is. */
  ndots: number;
  /** The timeout of the first attempt; null if not set. */
  timeoutMs: number | null;
  /** The number of rounds over the servers; null if not set. */
  attempts: number | null;
}

/** The maximum number of servers and domains, as in glibc. */
const MOST_SERVERS = 3;
const MOST_DOMAINS = 6;

function numberIn(options: string[], name: string, most: number): number | null {
  const value = options.findLast((option) => option.startsWith(`${name}:`))?.slice(name.length + 1);
  return value !== undefined && /^\d+$/.test(value) ? Math.min(Number(value), most) : null;
}

const bare = (domain: string) => domain.toLowerCase().replace(/^\.|\.$/g, '');

/** Parses a resolv.conf. Unknown lines are ignored, as in every resolver. */
export function parseResolvConf(text: string): ResolvConf {
  const servers: string[] = [];
  const options: string[] = [];
  let search: string[] = [];
  for (const line of text.split('\n')) {
    const [keyword = '', ...values] = line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/);
    if (keyword === 'nameserver' && values[0]) servers.push(values[0]);
    // The last line with either keyword counts.
    if (keyword === 'search') search = values;
    if (keyword === 'domain') search = values.slice(0, 1);
    if (keyword === 'options') options.push(...values);
  }
  const seconds = numberIn(options, 'timeout', 30);
  const attempts = numberIn(options, 'attempts', 5);
  return {
    servers: servers.slice(0, MOST_SERVERS),
    search: search
      .map(bare)
      .filter((domain) => domain !== '')
      .slice(0, MOST_DOMAINS),
    ndots: numberIn(options, 'ndots', 15) ?? 1,
    timeoutMs: seconds === null ? null : Math.max(1, seconds) * 1_000,
    attempts: attempts === null ? null : Math.max(1, attempts),
  };
}
