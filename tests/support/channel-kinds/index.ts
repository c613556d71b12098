import type { ChannelType } from '@/server/notifications/schema';
import { custom } from './custom';
import { discord } from './discord';
import { googleChat } from './google-chat';
import { gotify } from './gotify';
import { grafanaOncall } from './grafana-oncall';
import { homeAssistant } from './home-assistant';
import { line } from './line';
import { matrix } from './matrix';
import { mattermost } from './mattermost';
import { microsoftTeams } from './microsoft-teams';
import { ntfy } from './ntfy';
import { opsgenie } from './opsgenie';
import { pagerduty } from './pagerduty';
import { pushbullet } from './pushbullet';
import { pushover } from './pushover';
import { rocketchat } from './rocketchat';
import { signal } from './signal';
import { slack } from './slack';
import type { KindSpec } from './spec';
import { splunkOnCall } from './splunk-on-call';
import { telegram } from './telegram';
import { twilio } from './twilio';
import { vonage } from './vonage';
import { webex } from './webex';
import { webhook } from './webhook';
import { zulip } from './zulip';

/** Every kind that sends by HTTP. Email and browser push have separate tests. */
type HttpKind = Exclude<ChannelType, 'email' | 'web_push'>;

export const kindSpecs: { [Type in HttpKind]: KindSpec<Type> } = {
  custom,
  discord,
  google_chat: googleChat,
  gotify,
  grafana_oncall: grafanaOncall,
  home_assistant: homeAssistant,
  line,
  matrix,
  mattermost,
  microsoft_teams: microsoftTeams,
  ntfy,
  opsgenie,
  pagerduty,
  pushbullet,
  pushover,
  rocketchat,
  signal,
  slack,
  splunk_on_call: splunkOnCall,
  telegram,
  twilio,
  vonage,
  webex,
  webhook,
  zulip,
};

export const httpKinds = Object.keys(kindSpecs) as HttpKind[];
