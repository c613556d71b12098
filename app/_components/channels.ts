import type { IconName } from '@/app/_components/ui/icon';
import type { ChannelType } from '@/server/notifications/schema';

/** What a kind of channel is called. */
export const channelWords: Record<ChannelType, string> = {
  email: 'Email',
  slack: 'Slack',
  discord: 'Discord',
  line: 'LINE',
  webhook: 'Webhook',
};

export const channelIcons: Record<ChannelType, IconName> = {
  email: 'mail',
  slack: 'chat',
  discord: 'chat',
  line: 'chat',
  webhook: 'hook',
};

/** The kind that stands before a channel's name; null where the name begins with it. */
export function kindBefore(type: ChannelType, name: string): string | null {
  const kind = channelWords[type];
  return name.toLowerCase().startsWith(kind.toLowerCase()) ? null : kind;
}

const eventWords: Record<string, string> = {
  'incident.opened': 'Incident opened',
  'incident.acknowledged': 'Incident acknowledged',
  'incident.resolved': 'Incident resolved',
  'monitor.certificate_expiring': 'Certificate expires soon',
  'channel.test': 'Test',
};

/** What a message was about. */
export function eventName(event: string): string {
  return eventWords[event] ?? event;
}

/** Whether a text names a kind of channel. */
export function isChannelType(type: string): type is ChannelType {
  return type in channelWords;
}
