// The kinds of channels, for pages that name them. Without zod and without the definitions, which only the pages of channels need.

/** The groups of the gallery of kinds. */
export type ChannelCategory = 'chat' | 'email-and-phone' | 'paging' | 'automation';

/** Every channel kind, in display order. */
export const channelKinds = {
  email: { label: 'Email', category: 'email-and-phone' },
  slack: { label: 'Slack', category: 'chat' },
  microsoft_teams: { label: 'Microsoft Teams', category: 'chat' },
  discord: { label: 'Discord', category: 'chat' },
  telegram: { label: 'Telegram', category: 'chat' },
  google_chat: { label: 'Google Chat', category: 'chat' },
  line: { label: 'LINE', category: 'chat' },
  mattermost: { label: 'Mattermost', category: 'chat' },
  rocketchat: { label: 'Rocket.Chat', category: 'chat' },
  matrix: { label: 'Matrix', category: 'chat' },
  zulip: { label: 'Zulip', category: 'chat' },
  webex: { label: 'Webex', category: 'chat' },
  pagerduty: { label: 'PagerDuty', category: 'paging' },
  opsgenie: { label: 'Opsgenie', category: 'paging' },
  splunk_on_call: { label: 'Splunk On-Call', category: 'paging' },
  grafana_oncall: { label: 'Grafana OnCall', category: 'paging' },
  ntfy: { label: 'ntfy', category: 'email-and-phone' },
  web_push: { label: 'Browser push', category: 'email-and-phone' },
  gotify: { label: 'Gotify', category: 'email-and-phone' },
  pushover: { label: 'Pushover', category: 'email-and-phone' },
  pushbullet: { label: 'Pushbullet', category: 'email-and-phone' },
  signal: { label: 'Signal', category: 'email-and-phone' },
  twilio: { label: 'Twilio SMS', category: 'email-and-phone' },
  vonage: { label: 'Vonage SMS', category: 'email-and-phone' },
  webhook: { label: 'Webhook', category: 'automation' },
  custom: { label: 'Custom request', category: 'automation' },
  home_assistant: { label: 'Home Assistant', category: 'automation' },
} as const satisfies Record<string, { label: string; category: ChannelCategory }>;

export type ChannelType = keyof typeof channelKinds;
export const channelTypes = Object.keys(channelKinds) as [ChannelType, ...ChannelType[]];
