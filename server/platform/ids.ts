import { randomInt } from 'node:crypto';
import { monotonicFactory } from 'ulid';

// Node buffers random numbers; the library's own source asks the system for one byte at a time.
const next = monotonicFactory(() => randomInt(32) / 32);

/** Returns a new ULID (26 characters, Crockford base32). ULIDs of one process sort in order of creation. */
export function newId(): string {
  return next();
}

/** Whether a text is a ULID as `newId` writes it. */
export function isId(text: string): boolean {
  return /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text);
}

/**
 * Returns the ID of a request: the one that the web process assigned, else a new one. Clients cannot choose it, because the web process replaces the
 * header.
 */
export function requestIdOf(header: string | null | undefined): string {
  return header && isId(header) ? header : newId();
}
