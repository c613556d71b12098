import type { Channel } from '@/server/notifications/schema';

/** Where a channel's messages go, as far as it is no secret. */
export function destinationOf(channel: Channel): string {
  switch (channel.type) {
    case 'email':
      return channel.config.to;
    case 'slack':
    case 'discord':
      return channel.config.webhookUrl;
    case 'line':
      return channel.config.to;
    case 'webhook':
      return channel.config.url;
    default:
      return channel satisfies never;
  }
}

/** The title of a channel's document. */
export function channelTitle(channel: Channel | undefined): string {
  return `${channel?.name ?? 'Channel'} · Channels · Upwatch`;
}
