import type { Secret } from './parts';
import { SecretIndex } from './secret-index';

/** The maximum total pattern size of cached indexes per thread. An index takes about 30 bytes per byte of its patterns. */
const MOST_PATTERN_BYTES = 512 * 1024;
const MOST_INDEXES = 1_000;

/** The cached indexes, keyed by the secrets as JSON, so that a changed secret gets another index; least recently used first. */
const known = new Map<string, SecretIndex>();
let total = 0;

function forgetFirst(): void {
  for (const [key, { patternBytes }] of known) {
    known.delete(key);
    total -= patternBytes;
    return;
  }
}

/** Returns the index of secrets, from the cache if it is there. */
export function indexOf(secrets: Secret[]): SecretIndex {
  const key = JSON.stringify(secrets);
  const present = known.get(key);
  const index = present ?? new SecretIndex(secrets);
  if (present) known.delete(key);
  else total += index.patternBytes;
  known.set(key, index);
  while (known.size > 1 && (total > MOST_PATTERN_BYTES || known.size > MOST_INDEXES)) forgetFirst();
  return index;
}
