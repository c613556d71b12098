import type { Message } from '../message';
import type { ChannelConfig, ChannelType } from '../schema';
import { discord } from './discord';
import { email } from './email';
import { line } from './line';
import type { Provider, SendOptions, SendResult } from './provider';
import { slack } from './slack';
import { webhook } from './webhook';

/** Every kind of channel. Adding one: its file, its line here, its config in schema.ts. */
const providers: { [Type in ChannelType]: Provider<ChannelConfig<Type>> } = { email, slack, discord, line, webhook };

/** Hands a message over through the provider of a channel's type. */
export function send<Type extends ChannelType>(
  type: Type,
  message: Message,
  config: ChannelConfig<Type>,
  options: SendOptions,
): Promise<SendResult> {
  return providers[type].send(message, config, options);
}
