import { log } from '@/server/platform/log';
import { plainText } from '@/server/platform/plain-text';
import type { Message } from '../message';
import type { ChannelConfig, ChannelType } from './definitions';
import { discord } from './discord/send';
import { email } from './email/send';
import { line } from './line/send';
import type { Provider, SendOptions, SendResult } from './provider';
import { slack } from './slack/send';
import { telegram } from './telegram/send';
import { webhook } from './webhook/send';

/** The provider of each channel kind. */
const providers: { [Type in ChannelType]: Provider<ChannelConfig<Type>> } = {
  email,
  slack,
  discord,
  line,
  telegram,
  webhook,
};

/** The config of a new channel with server-generated values: the signing secret of a webhook. */
export function completeConfig<Type extends ChannelType>(type: Type, config: ChannelConfig<Type>): ChannelConfig<Type> {
  return providers[type].complete?.(config) ?? config;
}

const MOST_ERROR_CHARACTERS = 500;

/** A receiver's error text, safe to store and show; applied to every result. */
function toStorable(result: SendResult): SendResult {
  return result.ok ? result : { ...result, error: plainText(result.error, MOST_ERROR_CHARACTERS) };
}

type Attempt<Type extends ChannelType> = (provider: Provider<ChannelConfig<Type>>) => Promise<SendResult>;

async function attempt<Type extends ChannelType>(
  type: Type,
  { id }: Message,
  work: Attempt<Type>,
): Promise<SendResult> {
  try {
    return toStorable(await work(providers[type]));
  } catch (error) {
    log.error({ err: error, type, message: id }, 'A provider failed');
    const told = 'Upwatch could not send this message; see the Upwatch log for details';
    return { ok: false, permanent: false, statusCode: null, error: told };
  }
}

/** Sends a message through the provider of a channel's type. Never throws: the result has the error. */
export function send<Type extends ChannelType>(
  type: Type,
  message: Message,
  config: ChannelConfig<Type>,
  options: SendOptions,
): Promise<SendResult> {
  return attempt(type, message, (provider) => provider.send(message, config, options));
}

/**
 * Replaces the text of a message that was sent: `ref` is what its `send` returned. A kind that cannot do this gets a new message. Never throws.
 */
export function update<Type extends ChannelType>(
  type: Type,
  ref: string,
  message: Message,
  config: ChannelConfig<Type>,
  options: SendOptions,
): Promise<SendResult> {
  return attempt(
    type,
    message,
    (provider) => provider.update?.(ref, message, config, options) ?? provider.send(message, config, options),
  );
}
