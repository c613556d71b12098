import { env } from '../env';
import type { KeyValue } from './key-value';
import { PostgresKeyValue } from './postgres';
import { UpstashKeyValue } from './upstash';

export type { Counted, KeyValue } from './key-value';
export { StoreAwayError } from './outage';

/** The instance's key-value store: Redis where Upstash is configured, else PostgreSQL. */
export const kv: KeyValue = env.upstash ? new UpstashKeyValue(env.upstash) : new PostgresKeyValue();
