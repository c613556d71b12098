import { log } from '@/server/platform/log';
import { takeLoopTurn } from '@/server/platform/loop-share';
import { plainText, withoutReordering } from '@/server/platform/plain-text';
import type { Message } from '../messages/message';
import { TooLongError } from '../templates/template';
import { custom } from './custom/send';
import { type ChannelConfig, type ChannelType, channelDefinitionOf, pagingTypes } from './definitions';
import { discord } from './discord/send';
import { email } from './email/send';
import { maskTexts, type RawExchange, savesResponseBody, toExchange } from './exchange';
import { googleChat } from './google-chat/send';
import { gotify } from './gotify/send';
import { grafanaOncall } from './grafana-oncall/send';
import { homeAssistant } from './home-assistant/send';
import { line } from './line/send';
import { matrix } from './matrix/send';
import { mattermost } from './mattermost/send';
import { microsoftTeams } from './microsoft-teams/send';
import { ntfy } from './ntfy/send';
import { opsgenie } from './opsgenie/send';
import { pagerduty } from './pagerduty/send';
import type { PreparedRequest } from './prepared-request';
import type { Provider, SendOptions, SendResult } from './provider';
import { pushbullet } from './pushbullet/send';
import { pushover } from './pushover/send';
import { rocketchat } from './rocketchat/send';
import { shownConfig, shownMessage } from './shown';
import { signal } from './signal/send';
import { slack } from './slack/send';
import { splunkOnCall } from './splunk-on-call/send';
import { telegram } from './telegram/send';
import { twilio } from './twilio/send';
import { vonage } from './vonage/send';
import { webPushProvider } from './web-push/send';
import { webex } from './webex/send';
import { webhook } from './webhook/send';
import { zulip } from './zulip/send';

/** The provider of each channel kind. */
const providers: { [Type in ChannelType]: Provider<ChannelConfig<Type>> } = {
  email,
  slack,
  microsoft_teams: microsoftTeams,
  discord,
  telegram,
  google_chat: googleChat,
  line,
  mattermost,
  rocketchat,
  matrix,
  zulip,
  webex,
  pagerduty,
  opsgenie,
  splunk_on_call: splunkOnCall,
  grafana_oncall: grafanaOncall,
  ntfy,
  web_push: webPushProvider,
  gotify,
  pushover,
  pushbullet,
  signal,
  twilio,
  vonage,
  webhook,
  custom,
  home_assistant: homeAssistant,
};

/** Adds server-generated values to the config of a new channel: the signing secret of a webhook. */
export function completeConfig<Type extends ChannelType>(type: Type, config: ChannelConfig<Type>): ChannelConfig<Type> {
  return providers[type].complete?.(config) ?? config;
}

const MOST_ERROR_CHARACTERS = 500;

/** Returns the texts to mask in a response: the secrets of a config, `others`, and the token of the message's acknowledge link. */
function secretsOf(type: ChannelType, config: object, { acknowledgeUrl }: Message, others: string[]): string[] {
  const values = Object.keys(channelDefinitionOf(type).secrets).map(
    (field) => (config as Record<string, string>)[field],
  );
  return [...values.flatMap((value) => value ?? []), ...others, acknowledgeUrl?.split('/').at(-1) ?? ''];
}

/** Makes a receiver's error text safe to store and show: plain text with the secrets of the config masked, because some receivers repeat them. */
async function toStorable(result: SendResult, secrets: string[], team: string): Promise<SendResult> {
  if (result.ok) return result;
  const [error = ''] = await maskTexts(secrets, [result.error], team);
  return { ...result, error: plainText(error, MOST_ERROR_CHARACTERS) };
}

type Attempt<Type extends ChannelType> = (
  provider: Provider<ChannelConfig<Type>>,
  options: SendOptions,
  message: Message,
  config: ChannelConfig<Type>,
) => Promise<SendResult>;

/** Lets the provider build its request from a message and config whose secrets are masked; null if it makes no HTTP request, or fails to build it. */
async function requestWithoutSecrets<Type extends ChannelType>(
  type: Type,
  message: Message,
  config: ChannelConfig<Type>,
  options: SendOptions,
  work: Attempt<Type>,
): Promise<PreparedRequest | null> {
  let request: PreparedRequest | null = null;
  const prepared = (given: PreparedRequest) => {
    request = given;
  };
  try {
    await work(providers[type], { ...options, prepared }, shownMessage(message), shownConfig(type, config));
  } catch (error) {
    if (!(error instanceof TooLongError)) log.error({ err: error, type }, 'A request could not be shown');
  }
  return request;
}

/** Lets a provider send or edit a message, and masks secrets in the result. Never throws: errors become a failed result. */
async function attempt<Type extends ChannelType>(
  type: Type,
  message: Message,
  config: ChannelConfig<Type>,
  options: SendOptions,
  work: Attempt<Type>,
): Promise<SendResult> {
  await takeLoopTurn(options.teamId);
  const secrets = secretsOf(type, config, message, options.alsoSignedWith ? [options.alsoSignedWith] : []);
  const shown = options.withExchange ? await requestWithoutSecrets(type, message, config, options, work) : null;
  let last: RawExchange | null = null;
  const onExchange = (exchange: RawExchange) => {
    last = exchange;
  };
  try {
    const sent = await work(providers[type], { ...options, onExchange }, message, config);
    const result = await toStorable(sent, secrets, options.teamId);
    if (!last || !shown) return result;
    const show = { team: options.teamId, savesBody: savesResponseBody(type, config) };
    return { ...result, exchange: await toExchange(last, shown, secrets, show) };
  } catch (error) {
    if (error instanceof TooLongError) return { ok: false, permanent: true, statusCode: null, error: error.message };
    log.error({ err: error, type, message: message.id }, 'A provider failed');
    const reason = 'Upwatch could not send this message; see the Upwatch log for details';
    return { ok: false, permanent: false, statusCode: null, error: reason };
  }
}

/**
 * Removes characters from the message that reorder text, which could disguise what it says. Not for a webhook, which contains the data of the REST
 * object.
 */
const messageFor = (type: ChannelType, message: Message): Message =>
  type === 'webhook' ? message : withoutReordering(message);

/** Opens a test alert and resolves it at once under the same key, so that it does not stay open and page somebody. */
async function sendTest<Config>(
  provider: Provider<Config>,
  message: Message,
  config: Config,
  options: SendOptions,
): Promise<SendResult> {
  const opened = await provider.send(message, config, options);
  if (!opened.ok) return opened;
  const result = await provider.send({ ...message, endsTest: true }, config, options);
  return result.ok
    ? result
    : { ...result, error: `The test opened an alert that could not be resolved, resolve it there: ${result.error}` };
}

/** Sends a message through the provider of a channel's type. Never throws: the result has the error. */
export function send<Type extends ChannelType>(
  type: Type,
  message: Message,
  config: ChannelConfig<Type>,
  options: SendOptions,
): Promise<SendResult> {
  const shown = messageFor(type, message);
  const isPagingTest = message.payload.type === 'channel.test' && pagingTypes.includes(type);
  return attempt(type, shown, config, options, (provider, given, about, to) =>
    isPagingTest ? sendTest(provider, about, to, given) : provider.send(about, to, given),
  );
}

/** Replaces the text of a sent message; `ref` is what its `send` returned. A kind that cannot edit messages sends a new one. Never throws. */
export function update<Type extends ChannelType>(
  type: Type,
  ref: string,
  message: Message,
  config: ChannelConfig<Type>,
  options: SendOptions,
): Promise<SendResult> {
  const shown = messageFor(type, message);
  return attempt(
    type,
    shown,
    config,
    options,
    (provider, given, about, to) => provider.update?.(ref, about, to, given) ?? provider.send(about, to, given),
  );
}
