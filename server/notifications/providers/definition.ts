import type { z } from 'zod';
import type { ChannelCategory } from '@/server/channel-lists/schema';

/** `credential`: never shown again. `url`: may contain a secret after its host; only members who can edit the channel see all of it. */
export type SecretKind = 'credential' | 'url';

/** How a field of the config is shown in the form. Its value is always text. */
export interface ConfigField {
  label: string;
  kind: 'text' | 'email' | 'url' | 'secret' | 'select' | 'multiline';
  /** Where to find the value, in the provider's terms. */
  help?: string;
  placeholder?: string;
  /** May be left empty. */
  optional?: true;
  /** The choices of a select. */
  options?: readonly { value: string; label: string }[];
}

/** The properties of a channel kind that depend only on its config. Has no network I/O and also runs in a browser. */
export interface ChannelDefinition<Config extends object = Record<string, string | undefined>> {
  label: string;
  category: ChannelCategory;
  /** What the user needs for this kind, in a few words: "Incoming webhook". */
  summary: string;
  /** The config as callers send it. All fields are text, and responses contain each of them, secrets masked. */
  schema: z.ZodObject<z.ZodRawShape, z.core.$strict> & z.ZodType<Config>;
  /** The fields of the form, in their order. */
  fields: { [Field in keyof Config]-?: ConfigField };
  /** The description of the config in the API document. */
  description: string;
  /** The fields encrypted at rest and masked in responses. */
  secrets: { [Field in keyof Config]?: SecretKind };
  /** The field with the secret that signs messages. It can be rotated: the previous one then also signs for a while. */
  signingSecret?: keyof Config & string;
  /** The field with the URL that credentials are sent to. A stored credential is dropped when the origin of that URL changes. */
  endpoint?: keyof Config & string;
  /** Returns the text that lists show as the destination, from the masked config. */
  destination(config: Config): string;
  /**
   * Messages of this kind can have buttons. The provider sends presses to the channel's callback URL, which the user enters there under this label.
   */
  callback?: { label: string; help: string };
  /** The receiver keeps its own copy of each incident, so it is sent every change, including those that people are not notified of. */
  mirrorsIncidents?: true;
  /** The maximum characters of text that a message of this kind shows; larger groups of alerts are split. 1,000 by default. */
  textLimit?: number;
  /** The field with the email address that has to confirm; missing for kinds without confirmation. */
  recipient?: keyof Config & string;
}
