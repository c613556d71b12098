import type { z } from 'zod';

/**
 * `credential`: never shown again. `text` and `url` may hold a secret anywhere, in a URL past its path; whoever may edit
 * them sees them.
 */
export type SecretKind = 'credential' | 'text' | 'url';

/** The fields of a config that are or may hold secrets; `headers` are judged by their names, an object's fields one by one. */
export interface SecretFields {
  [field: string]: SecretKind | 'headers' | SecretFields;
}

/** A field of a config, and the host, address or URL in it that a check connects to. */
export type Endpoint = [field: string, address: string];

/** What is known of a monitor type by its config alone. Has no network I/O and runs in a browser as well. */
export interface TypeDefinition<Config = unknown> {
  schema: z.ZodType<Config>;
  secrets: SecretFields;
  /** The address as a person reads it, from the masked config: no scheme, no query, no secrets. */
  target(config: Config): string;
  /** Where a check connects to. */
  endpoints(config: Config): Endpoint[];
  /** Checks with the same key are limited together: the host, in one spelling. */
  limitKey(config: Config): string;
  /** How many days before its expiry a certificate is reported; 0 turns that off. Types without TLS leave it out. */
  certificateWarnDays?(config: Config): number;
}
