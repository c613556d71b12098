import type { z } from 'zod';
import { type ChannelType, channelTypes } from '@/server/channel-lists/schema';
import { custom } from './custom/definition';
import type { ChannelDefinition } from './definition';
import { discord } from './discord/definition';
import { email } from './email/definition';
import { googleChat } from './google-chat/definition';
import { gotify } from './gotify/definition';
import { grafanaOncall } from './grafana-oncall/definition';
import { homeAssistant } from './home-assistant/definition';
import { line } from './line/definition';
import { matrix } from './matrix/definition';
import { mattermost } from './mattermost/definition';
import { microsoftTeams } from './microsoft-teams/definition';
import { ntfy } from './ntfy/definition';
import { opsgenie } from './opsgenie/definition';
import { pagerduty } from './pagerduty/definition';
import { pushbullet } from './pushbullet/definition';
import { pushover } from './pushover/definition';
import { rocketchat } from './rocketchat/definition';
import { signal } from './signal/definition';
import { slack } from './slack/definition';
import { splunkOnCall } from './splunk-on-call/definition';
import { telegram } from './telegram/definition';
import { twilio } from './twilio/definition';
import { vonage } from './vonage/definition';
import { webPush } from './web-push/definition';
import { webex } from './webex/definition';
import { webhook } from './webhook/definition';
import { zulip } from './zulip/definition';

export { type ChannelType, channelTypes };

/** The definitions of all channel kinds. */
export const channelDefinitions = {
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
  web_push: webPush,
  gotify,
  pushover,
  pushbullet,
  signal,
  twilio,
  vonage,
  webhook,
  custom,
  home_assistant: homeAssistant,
} satisfies Record<ChannelType, unknown>;

export type ChannelConfig<Type extends ChannelType = ChannelType> = z.output<
  (typeof channelDefinitions)[Type]['schema']
>;

/** Returns the definition of a kind that is only known at run time. Its functions take the config of that kind. */
export function channelDefinitionOf(type: ChannelType): ChannelDefinition {
  return channelDefinitions[type] as ChannelDefinition;
}

/** The kinds whose receivers keep a copy of each incident. */
export const mirroringTypes = channelTypes.filter((type) => channelDefinitionOf(type).mirrorsIncidents);

/** The kinds that page people. They only get incidents. */
export const pagingTypes = channelTypes.filter((type) => channelDefinitionOf(type).category === 'paging');

const DEFAULT_TEXT_LIMIT = 1_000;

/** Returns the maximum characters of text that a message of a kind shows. */
export function textLimitOf(type: ChannelType): number {
  return channelDefinitionOf(type).textLimit ?? DEFAULT_TEXT_LIMIT;
}

/** Returns the address that has to confirm a channel, in lower case; null for kinds without confirmation. */
export function recipientOf({ type, config }: { type: ChannelType; config: unknown }): string | null {
  const { recipient } = channelDefinitionOf(type);
  return recipient === undefined ? null : ((config as Record<string, string>)[recipient]?.toLowerCase() ?? null);
}
