import type { EventPayload } from './messages/event';
import { linksOf } from './messages/links';
import { type ChannelType, channelDefinitionOf, pagingTypes } from './providers/definitions';

/** Builds the event of a test message. Its subject is the channel if it has a page: if it is stored and belongs to the team. */
export function testEvent(channel: { id: string; type: string; name: string } | null, at = new Date()): EventPayload {
  const about = { incident: null, monitor: null };
  const subject = channel && { channel: { id: channel.id, type: channel.type, name: channel.name } };
  return {
    type: 'channel.test',
    timestamp: at.toISOString(),
    data: { ...about, ...subject, links: linksOf(about) },
  };
}

/** Describes a side effect of a successful test of this type of channel; null for none. */
export function testNote(type: ChannelType): string | null {
  if (!pagingTypes.includes(type)) return null;
  return `The test opened an alert in ${channelDefinitionOf(type).label} and resolved it again.`;
}
