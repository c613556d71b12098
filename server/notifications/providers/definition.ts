import type { z } from 'zod';

/** `credential`: never shown again. `url`: may contain a secret after its host; members who can edit the channel see it. */
export type SecretKind = 'credential' | 'url';

/** The properties of a channel kind that depend on its config alone. Has no network I/O and also runs in a browser. */
export interface ChannelDefinition<Config extends object = Record<string, string | undefined>> {
  label: string;
  /** The medium of messages; selects the icon. */
  medium: 'mail' | 'chat' | 'http';
  /** The config as callers send it. All fields are text, and responses contain each of them, secrets masked. */
  schema: z.ZodObject<z.ZodRawShape, z.core.$strict> & z.ZodType<Config>;
  /** The description of the config in the API document. */
  description: string;
  /** The fields encrypted at rest and masked in responses. */
  secrets: { [Field in keyof Config]?: SecretKind };
  /** The field with the URL that credentials are sent to. A stored credential is dropped when the origin of that URL changes. */
  endpoint?: keyof Config & string;
  /** The destination for display, from the masked config. */
  destination(config: Config): string;
  /** The receiver keeps its own copy of each incident: it is sent every change, also those that people are not notified of. */
  mirrorsIncidents?: true;
  /** The field with the email address that must confirm. Kinds without one need no confirmation. */
  recipient?: keyof Config & string;
}
