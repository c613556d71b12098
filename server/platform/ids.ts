import { randomInt } from 'node:crypto';
import { monotonicFactory } from 'ulid';

// Node keeps random numbers in store; the library's own source asks the system for one byte at a time.
const next = monotonicFactory(() => randomInt(32) / 32);

/** A new ULID (26 characters, Crockford base32). Those of one process sort in the order they were made. */
export function newId(): string {
  return next();
}

/** Whether a text is a ULID as `newId` writes it. */
export function isId(text: string): boolean {
  return /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text);
}

/** The id of a request: the one the web process gave it, else a new one. Nobody outside chooses what the log says. */
export function requestIdOf(header: string | null | undefined): string {
  return header && isId(header) ? header : newId();
}
