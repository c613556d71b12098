import type { Redis } from '@upstash/redis';
import { assertPrefix, type Counted, type KeyValue } from './key-value';
import { Outage } from './outage';

/** Short, because requests wait for this store. The second attempt is for a connection that was closed while idle. */
const TIMEOUT_MS = 2_000;
const RETRY = { retries: 1, backoff: () => 50 };
const SCAN_COUNT = 500;

/** A script that adds to a counter, and sets the expiry of a key without one, atomically, so that no counter lasts forever. */
const INCREMENT = `
local value = redis.call('INCRBY', KEYS[1], ARGV[2])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return { value, left }`;

const escapeGlob = (text: string) => text.replace(/[\\*?[\]]/g, '\\$&');

/** Creates the client. The library is loaded on first use, because an instance without Upstash never needs it. */
async function connect(options: { url: string; token: string }): Promise<Redis> {
  const { Redis } = await import('@upstash/redis');
  return new Redis({
    ...options,
    // Otherwise digits are returned as a number, and JSON as an object.
    automaticDeserialization: false,
    enableTelemetry: false,
    retry: RETRY,
    // A function, not a signal: the client turns an aborted signal into a response.
    signal: () => AbortSignal.timeout(TIMEOUT_MS),
  });
}

/** Key-value entries in Redis, through Upstash's HTTP protocol. */
export class UpstashKeyValue implements KeyValue {
  private client: Promise<Redis> | null = null;
  /** Lets the calls that requests wait for fail fast during an outage; deletions are always attempted. */
  private readonly outage = new Outage((error) => error instanceof Error && error.name === 'UpstashError');

  constructor(private readonly options: { url: string; token: string }) {}

  get(key: string): Promise<string | null> {
    return this.outage.ask(async () => (await this.redis()).get<string>(key));
  }

  async set(key: string, value: string, options: { ttlSeconds?: number } = {}): Promise<void> {
    const { ttlSeconds } = options;
    const end = ttlSeconds === undefined ? undefined : { px: Math.ceil(ttlSeconds * 1000) };
    await this.outage.ask(async () => (await this.redis()).set(key, value, end));
  }

  async del(key: string): Promise<void> {
    await (await this.redis()).del(key);
  }

  async incr(key: string, { ttlSeconds, by = 1 }: { ttlSeconds: number; by?: number }): Promise<Counted> {
    const ttlMs = String(Math.ceil(ttlSeconds * 1000));
    const [value, leftMs] = await this.outage.ask(async () =>
      (await this.redis()).eval<[string, string], [number, number]>(INCREMENT, [key], [ttlMs, String(by)]),
    );
    return { value: Number(value), ttlSeconds: Math.max(1, Math.ceil(Number(leftMs) / 1000)) };
  }

  async deletePrefix(prefix: string): Promise<void> {
    assertPrefix(prefix);
    const redis = await this.redis();
    let cursor = '0';
    do {
      const [next, keys] = await redis.scan(cursor, { match: `${escapeGlob(prefix)}*`, count: SCAN_COUNT });
      if (keys.length > 0) await redis.del(...keys);
      cursor = String(next);
    } while (cursor !== '0');
  }

  async sweepExpired(): Promise<number> {
    return 0;
  }

  private redis(): Promise<Redis> {
    this.client ??= connect(this.options);
    return this.client;
  }
}
