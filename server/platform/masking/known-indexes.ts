import type { Secret } from './parts';
import { SecretIndex } from './secret-index';

/** The total size of the indexes that a thread keeps. An index takes about 30 bytes for each of its own. */
const MOST_PATTERN_BYTES = 512 * 1024;
const MOST_INDEXES = 1_000;

/** By the secrets as JSON; the least recently used first. A changed secret is another key. */
const known = new Map<string, SecretIndex>();
let total = 0;

function forgetFirst(): void {
  for (const [key, { patternBytes }] of known) {
    known.delete(key);
    total -= patternBytes;
    return;
  }
}

/** The index of secrets, built once as long as they are in use. */
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
