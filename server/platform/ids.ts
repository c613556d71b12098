import { monotonicFactory } from 'ulid';

const next = monotonicFactory();

/** A ULID as `newId` writes it. */
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** A new ULID (26 characters, Crockford base32). Those of one process sort in the order they were made. */
export function newId(): string {
  return next();
}

/** The id of a request: the one the web process gave it, else a new one. Nobody outside chooses what the log says. */
export function requestIdOf(header: string | null | undefined): string {
  return header && ULID.test(header) ? header : newId();
}
