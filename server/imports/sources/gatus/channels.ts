import type { ChannelType } from '@/server/notifications/schema';
import { toEmailChannels } from '../../convert/email-channels';
import type { Row } from '../../convert/rows';
import { NotCarriedOver } from '../../draft';
import { textOf, textsOf } from './fields';

interface Channel {
  type: ChannelType;
  config: Record<string, string>;
  notes: string[];
}

/** For each field of a channel, the name of the provider's field, or a function that reads it. */
type Fields = Record<string, string | ((config: Row) => string)>;

const webhookUrl = { webhookUrl: 'webhook-url' };

/** Returns a function that reads a list with at most one recipient. It throws NotCarriedOver for several. */
const onlyOne = (name: string) => (config: Row) => {
  const recipients = textsOf(config, name);
  if (recipients.length > 1) throw new NotCarriedOver('Several recipients. Create one channel for each.');
  return recipients.join('');
};

/** The channel type and its fields for each provider. */
const providers: Record<string, { type: ChannelType; fields: Fields; note?: string }> = {
  slack: { type: 'slack', fields: webhookUrl },
  discord: { type: 'discord', fields: webhookUrl },
  mattermost: { type: 'mattermost', fields: webhookUrl },
  rocketchat: { type: 'rocketchat', fields: webhookUrl },
  googlechat: { type: 'google_chat', fields: webhookUrl },
  teams: { type: 'microsoft_teams', fields: webhookUrl },
  'teams-workflows': { type: 'microsoft_teams', fields: webhookUrl },
  telegram: { type: 'telegram', fields: { botToken: 'token', chatId: 'id', apiUrl: 'api-url' } },
  gotify: { type: 'gotify', fields: { serverUrl: 'server-url', appToken: 'token' } },
  ntfy: { type: 'ntfy', fields: { serverUrl: 'url', topic: 'topic', accessToken: 'token' } },
  pushover: {
    type: 'pushover',
    fields: { userKey: 'user-key', apiToken: 'application-token', device: 'device' },
  },
  matrix: {
    type: 'matrix',
    fields: { homeserverUrl: 'server-url', accessToken: 'access-token', roomId: 'internal-room-id' },
  },
  pagerduty: { type: 'pagerduty', fields: { routingKey: 'integration-key' } },
  opsgenie: { type: 'opsgenie', fields: { apiKey: 'api-key' } },
  twilio: { type: 'twilio', fields: { accountSid: 'sid', authToken: 'token', from: 'from', to: 'to' } },
  signal: { type: 'signal', fields: { serverUrl: 'api-url', number: 'number', to: onlyOne('recipients') } },
  line: { type: 'line', fields: { channelAccessToken: 'channel-access-token', to: onlyOne('user-ids') } },
  homeassistant: {
    type: 'home_assistant',
    fields: { serverUrl: 'url', accessToken: 'token' },
    note: 'Messages arrive as the event upwatch_incident. Add an automation for it.',
  },
};

/**
 * Converts the configuration of a provider to channels: one, or for email one per recipient.
 * @throws NotCarriedOver
 */
export function toChannels(provider: string, config: Row): Channel[] {
  if (provider === 'email') return toEmailChannels(textOf(config, 'to').split(','));
  if (provider === 'custom') throw new NotCarriedOver('Its placeholders differ. Create a channel of the type Custom.');
  const known = Object.hasOwn(providers, provider) ? providers[provider] : undefined;
  if (!known) throw new NotCarriedOver('There is no such channel type.');
  const read = Object.entries(known.fields).map(([field, from]) => {
    return [field, typeof from === 'string' ? textOf(config, from) : from(config)] as const;
  });
  const notes = known.note === undefined ? [] : [known.note];
  return [{ type: known.type, config: Object.fromEntries(read.filter(([, value]) => value !== '')), notes }];
}
