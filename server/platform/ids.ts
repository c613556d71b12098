import { monotonicFactory } from 'ulid';

const next = monotonicFactory();

/** A new ULID (26 characters, Crockford base32). Those of one process sort in the order they were made. */
export function newId(): string {
  return next();
}
