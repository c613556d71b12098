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
  /** Checks with the same key are limited together: the host, in one spelling. */
  limitKey(config: Config): string;
  /** How many days before its expiry a certificate is reported; 0 turns that off. Types without TLS leave it out. */
  certificateWarnDays?(config: Config): number;
  /** Whether a slow answer is `degraded`: `confirm.degraded` then says after how many slow checks in a row. */
  isDegradedBySpeed?: true;
  /** Passive types only, which wait for pings: when those are due. All other types are checked over the network. */
  schedule?(config: Config): PingSchedule;
}
