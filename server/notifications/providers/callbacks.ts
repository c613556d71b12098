import type { CallbackReader } from './callback';
import type { ChannelConfig, ChannelType } from './definitions';
import { readDiscordCallback } from './discord/callback';
import { readSlackCallback } from './slack/callback';
import { readTelegramCallback } from './telegram/callback';

const readers = {
  discord: readDiscordCallback,
  slack: readSlackCallback,
  telegram: readTelegramCallback,
} satisfies { [Type in ChannelType]?: CallbackReader<ChannelConfig<Type>> };

/** The kinds whose messages can have buttons. */
export type CallbackType = keyof typeof readers;

export function isCallbackType(type: string): type is CallbackType {
  return Object.hasOwn(readers, type);
}

export function callbackReaderOf(type: CallbackType): CallbackReader<ChannelConfig> {
  return readers[type] as CallbackReader<ChannelConfig>;
}
