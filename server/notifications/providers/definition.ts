import type { z } from 'zod';

/** `credential`: never shown again. `url`: may hold a secret past its host; people who may edit the channel see it. */
export type SecretKind = 'credential' | 'url';

/** What is known of a channel kind by its config alone. Has no network I/O and runs in a browser as well. */
export interface ChannelDefinition<Config extends object = Record<string, string | undefined>> {
  label: string;
  /** What messages go through; decides the icon. */
  medium: 'mail' | 'chat' | 'http';
  /** The config as callers send it. All its fields are text, and answers return each of them, secrets masked. */
  schema: z.ZodObject<z.ZodRawShape, z.core.$strict> & z.ZodType<Config>;
  /** What the API document says of the config. */
  description: string;
  /** The fields that are sealed at rest and masked in answers. */
  secrets: { [Field in keyof Config]?: SecretKind };
  /** The field with the URL that credentials are sent to. A credential is not kept when the origin of that URL changes. */
  endpoint?: keyof Config & string;
  /** Where messages go as a person reads it, from the masked config. */
  destination(config: Config): string;
  /** The field with the email address that must confirm that it wants the messages. Kinds without one need no confirmation. */
  recipient?: keyof Config & string;
}
