import type { z } from 'zod';
import type { TypeForm } from './form-field';

/**
 * `credential`: never shown again. `text` may contain a secret anywhere, `url` after its path or in its userinfo; only members who can edit the
 * monitor see these.
 */
export type SecretKind = 'credential' | 'text' | 'url';

/**
 * The config fields that are or may contain secrets. `headers` are classified by name; of `templateHeaders`, a value that only names variables is no
 * secret. `credentials` is a record of them. Nested objects are classified field by field, and lists by their elements.
 */
export interface SecretFields {
  [field: string]: SecretKind | 'headers' | 'templateHeaders' | 'credentials' | SecretFields | [SecretFields];
}

/** A config field with a host, address or URL that a check connects to. */
export type Endpoint = [field: string, address: string];

/** A user's expression and the name of its field. */
export interface Expression {
  path: string;
  kind: 'pattern' | 'jsonPath' | 'cron';
  source: string;
  /** For a cron expression. */
  timezone?: string;
}

/** When a passive monitor expects its pings. A cron expression replaces the monitor's interval. */
export interface PingSchedule {
  cron: string | null;
  timezone: string;
  graceSeconds: number;
}

/** The properties of a monitor type that depend only on its config. Has no network I/O and also runs in a browser. */
export interface TypeDefinition<Config = unknown> {
  schema: z.ZodType<Config>;
  form: TypeForm<Config>;
  secrets: SecretFields;
  /** Returns the address for display, from the masked config: no scheme, no query, no secrets. */
  target(config: Config): string;
  /** Returns the request for the monitor page, from the masked config: "GET https://northwind.example/". */
  request(config: Config): string;
  /** Returns the hosts, addresses and URLs that a check connects to. */
  endpoints(config: Config): Endpoint[];
  /** Returns the names that a check queries at this instance's own name servers, without connecting to them. */
  lookups?(config: Config): Endpoint[];
  /** Returns whether its responses contain values that are secrets, so that their bodies are not stored by default. */
  receivesSecrets?(config: Config): boolean;
  /**
   * Returns what decides where secrets are sent, if that is more than the config's URL, or host and port: a stored secret is not kept when it changes.
   * @param config as stored, with encrypted secrets
   */
  destination?(config: object): unknown;
  /** Returns the expressions of a config that may not be validated yet. They are compiled before it is saved. */
  expressions?(config: object): Expression[];
  /** Returns the key of the per-host limit of concurrent checks: the host in a canonical form. */
  limitKey(config: Config): string;
  /** Its answers may be cached ones, so they do not prove that the worker's network works. */
  answersFromCache?: true;
  /** Returns the number of days before expiry at which a certificate warning starts; 0 turns warnings off. Types without TLS omit it. */
  certificateWarnDays?(config: Config): number;
  /** Whether a slow response is `degraded`: `confirm.degraded` is then the required streak. */
  isDegradedBySpeed?: true;
  /** Returns when pings are due. Only for passive types, which wait for pings; all other types are checked over the network. */
  schedule?(config: Config): PingSchedule;
}
