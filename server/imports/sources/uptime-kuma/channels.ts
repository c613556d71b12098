import type { ChannelType } from '@/server/notifications/schema';
import { toEmailChannels } from '../../convert/email-channels';
import type { Row } from '../../convert/rows';
import { NotCarriedOver } from '../../draft';
import { isOn, textOf } from './rows';

interface Channel {
  type: ChannelType;
  config: Record<string, unknown>;
  notes?: string[];
}

/** Returns a channel of a type with these fields. Leaves out empty fields. */
function channel(type: ChannelType, config: Record<string, string>, ...notes: string[]): Channel {
  return { type, config: Object.fromEntries(Object.entries(config).filter(([, value]) => value !== '')), notes };
}

const OTHER_FORMAT = 'Requests have the format of Upwatch. Adapt the receiver, or choose the channel type Custom.';
const TEMPLATE = 'Its message template is not carried over.';

/** The function that converts each kind of notification, by its name in Uptime Kuma 1 and 2. */
const kinds: Record<string, (config: Row) => Channel> = {
  telegram: (config) =>
    channel('telegram', {
      botToken: textOf(config, 'telegramBotToken'),
      chatId: textOf(config, 'telegramChatID'),
      apiUrl: textOf(config, 'telegramServerUrl'),
    }),
  discord: (config) => channel('discord', { webhookUrl: textOf(config, 'discordWebhookUrl') }),
  slack: (config) => channel('slack', { webhookUrl: textOf(config, 'slackwebhookURL') }),
  teams: (config) => channel('microsoft_teams', { webhookUrl: textOf(config, 'webhookUrl') }),
  mattermost: (config) => channel('mattermost', { webhookUrl: textOf(config, 'mattermostWebhookUrl') }),
  'rocket.chat': (config) => channel('rocketchat', { webhookUrl: textOf(config, 'rocketwebhookURL') }),
  GoogleChat: (config) => channel('google_chat', { webhookUrl: textOf(config, 'googleChatWebhookURL') }),
  webhook: (config) => channel('webhook', { url: textOf(config, 'webhookURL') }, OTHER_FORMAT),
  gotify: (config) =>
    channel('gotify', {
      serverUrl: textOf(config, 'gotifyserverurl'),
      appToken: textOf(config, 'gotifyapplicationToken'),
    }),
  ntfy: (config) => {
    if (textOf(config, 'ntfyAuthenticationMethod') === 'usernamePassword') {
      throw new NotCarriedOver('ntfy with a username and password. Create an access token there.');
    }
    return channel('ntfy', {
      serverUrl: textOf(config, 'ntfyserverurl'),
      topic: textOf(config, 'ntfytopic'),
      accessToken: textOf(config, 'ntfyaccesstoken'),
    });
  },
  pushover: (config) =>
    channel('pushover', {
      userKey: textOf(config, 'pushoveruserkey'),
      apiToken: textOf(config, 'pushoverapptoken'),
      device: textOf(config, 'pushoverdevice'),
    }),
  pushbullet: (config) => channel('pushbullet', { accessToken: textOf(config, 'pushbulletAccessToken') }),
  matrix: (config) =>
    channel('matrix', {
      homeserverUrl: textOf(config, 'homeserverUrl'),
      accessToken: textOf(config, 'accessToken'),
      roomId: textOf(config, 'internalRoomId'),
    }),
  PagerDuty: (config) => {
    const region = textOf(config, 'pagerdutyIntegrationUrl').includes('.eu.') ? 'eu' : 'us';
    return channel('pagerduty', { routingKey: textOf(config, 'pagerdutyIntegrationKey'), region });
  },
  Opsgenie: (config) => {
    const region = textOf(config, 'opsgenieRegion') || 'us';
    return channel('opsgenie', { apiKey: textOf(config, 'opsgenieApiKey'), region });
  },
  signal: (config) => {
    const recipients = textOf(config, 'signalRecipients')
      .split(/[\s,]+/)
      .filter(Boolean);
    if (recipients.length > 1) throw new NotCarriedOver('Several recipients. Create one channel for each.');
    const serverUrl = textOf(config, 'signalURL').replace(/\/v2\/send\/?$/, '');
    return channel('signal', { serverUrl, number: textOf(config, 'signalNumber'), to: recipients.join('') });
  },
  Splunk: (config) => channel('splunk_on_call', { url: textOf(config, 'splunkRestURL') }),
  GrafanaOncall: (config) => channel('grafana_oncall', { url: textOf(config, 'GrafanaOncallURL') }),
  twilio: (config) =>
    channel('twilio', {
      accountSid: textOf(config, 'twilioAccountSID'),
      authToken: textOf(config, 'twilioAuthToken'),
      from: textOf(config, 'twilioMessagingServiceSID') || textOf(config, 'twilioFromNumber'),
      to: textOf(config, 'twilioToNumber'),
    }),
  line: (config) =>
    channel('line', {
      channelAccessToken: textOf(config, 'lineChannelAccessToken'),
      to: textOf(config, 'lineUserID'),
    }),
  HomeAssistant: (config) =>
    channel(
      'home_assistant',
      { serverUrl: textOf(config, 'homeAssistantUrl'), accessToken: textOf(config, 'longLivedAccessToken') },
      'Messages arrive as the event upwatch_incident. Add an automation for it.',
    ),
};

/** Converts an email notification to one channel per recipient. Removes names from addresses such as `Kim <kim@example.com>`. */
function toEmail(config: Row): Channel[] {
  const lists = ['smtpTo', 'smtpCC', 'smtpBCC'].map((name) => textOf(config, name));
  const found = lists.flatMap((list) => list.split(','));
  return toEmailChannels(found.map((each) => /<([^<>]+)>\s*$/.exec(each)?.[1] ?? each));
}

/**
 * Converts a notification to channels: one, or for email one per recipient.
 * @throws NotCarriedOver
 */
export function toChannels(config: Row): Channel[] {
  const type = textOf(config, 'type');
  if (type === 'smtp') return toEmail(config);
  const make = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (!make) throw new NotCarriedOver('There is no such channel type.');
  const made = make(config);
  const hasTemplate = Object.keys(config).some(
    (name) => /UseTemplate$|MessageTemplate$/.test(name) && isOn(config, name),
  );
  return [{ ...made, notes: [...(made.notes ?? []), ...(hasTemplate ? [TEMPLATE] : [])] }];
}
