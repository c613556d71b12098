import { type Channel, channelDefinitionOf } from '@/server/notifications/schema';

/** Where a channel's messages go, without its secrets. */
export function destinationOf({ type, config }: Channel): string {
  return channelDefinitionOf(type).destination(config);
}

/** The title of a channel's document. */
export function channelTitle(channel: Channel | undefined): string {
  return `${channel?.name ?? 'Channel'} · Channels · Upwatch`;
}
