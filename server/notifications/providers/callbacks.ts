import type { CallbackReader } from './callback';
import type { ChannelConfig, ChannelType } from './definitions';
import { readDiscordCallback } from './discord/callback';
import { readSlackCallback } from './slack/callback';
import { readTelegramCallback } from './telegram/callback';

interface CallbackForm<Config> {
  read: CallbackReader<Config>;
  /** Returns the key or secret with which callbacks are verified. Channels of the same app or bot have the same one. */
  secretOf: (config: Config) => string | undefined;
}

const forms = {
  discord: { read: readDiscordCallback, secretOf: ({ publicKey }) => publicKey?.toLowerCase() },
  slack: { read: readSlackCallback, secretOf: ({ signingSecret }) => signingSecret },
  telegram: { read: readTelegramCallback, secretOf: ({ webhookSecret }) => webhookSecret },
} satisfies { [Type in ChannelType]?: CallbackForm<ChannelConfig<Type>> };

/** The kinds whose messages can have buttons. */
export type CallbackType = keyof typeof forms;

export function isCallbackType(type: string): type is CallbackType {
  return Object.hasOwn(forms, type);
}

export function callbackFormOf(type: CallbackType): CallbackForm<ChannelConfig> {
  return forms[type] as CallbackForm<ChannelConfig>;
}
