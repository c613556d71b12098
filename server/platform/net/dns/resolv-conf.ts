/** What a machine says about how names are resolved (resolv.conf(5)). */
export interface ResolvConf {
  servers: string[];
  /** Domains that a short name is tried in, in order. */
  search: string[];
  /** A name with so many dots is asked for as it is. */
  ndots: number;
  /** How long the first try waits; null where the file does not say. */
  timeoutMs: number | null;
  /** How often the servers are asked in turn; null where the file does not say. */
  attempts: number | null;
}

/** glibc reads so many servers and domains. */
const MOST_SERVERS = 3;
const MOST_DOMAINS = 6;

function numberIn(options: string[], name: string, most: number): number | null {
  const value = options.findLast((option) => option.startsWith(`${name}:`))?.slice(name.length + 1);
  return value !== undefined && /^\d+$/.test(value) ? Math.min(Number(value), most) : null;
}

const bare = (domain: string) => domain.toLowerCase().replace(/^\.|\.$/g, '');

/** Reads a resolv.conf. What it does not know is left out, as every resolver does. */
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
    // The last of these lines counts.
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
