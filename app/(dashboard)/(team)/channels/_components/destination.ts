import { type Channel, channelDefinitionOf } from '@/server/notifications/schema';

/** The destination of a channel, without secrets. */
export function destinationOf({ type, config }: Channel): string {
  return channelDefinitionOf(type).destination(config);
}

export function channelTitle(channel: Channel | undefined): string {
  return `${channel?.name ?? 'Channel'} · Channels · Upwatch`;
}
