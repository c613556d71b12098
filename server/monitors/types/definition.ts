import type { z } from 'zod';

/**
 * `credential`: never shown again. `text` and `url` may contain a secret, in a URL after its path; members who can edit the
 * monitor see them.
 */
export type SecretKind = 'credential' | 'text' | 'url';

/** The config fields that are or may contain secrets. `headers` are classified by name, and nested objects field by field. */
export interface SecretFields {
  [field: string]: SecretKind | 'headers' | SecretFields;
}

/** A field of a config, and the host, address or URL in it that a check connects to. */
export type Endpoint = [field: string, address: string];

/** A user's expression, and the field it stands in. */
export interface Expression {
  path: string;
  kind: 'pattern' | 'jsonPath' | 'cron';
  source: string;
}

/** When a passive monitor expects its pings. Where there is a cron expression, the monitor's interval does not count. */
export interface PingSchedule {
  cron: string | null;
  timezone: string;
  graceSeconds: number;
}

/** What is known of a monitor type by its config alone. Has no network I/O and runs in a browser as well. */
export interface TypeDefinition<Config = unknown> {
  schema: z.ZodType<Config>;
  secrets: SecretFields;
  /** What a component of this type is called on a status page while nobody has entered a name for it. */
  componentName: string;
  /** The address as a person reads it, from the masked config: no scheme, no query, no secrets. */
  target(config: Config): string;
  /** The request as the monitor's page shows it, from the masked config: "GET https://northwind.example/". */
  request(config: Config): string;
  /** Hosts, addresses and URLs that a check connects to. */
  endpoints(config: Config): Endpoint[];
  /** Names that a check asks this instance's own name servers about, without connecting to them. */
  lookups?(config: Config): Endpoint[];
  /** The expressions in a config, which may be one that no schema has accepted yet. They are compiled before it is saved. */
  expressions?(config: object): Expression[];
  /** The key of the limit that checks of one host share: the host in a canonical form. */
  limitKey(config: Config): string;
  /** How many days before its expiry a certificate is reported; 0 turns that off. Types without TLS leave it out. */
  certificateWarnDays?(config: Config): number;
  /** Whether a slow answer is `degraded`: `confirm.degraded` then says after how many slow checks in a row. */
  isDegradedBySpeed?: true;
  /** Passive types only, which wait for pings: when those are due. All other types are checked over the network. */
  schedule?(config: Config): PingSchedule;
}
