import type { EventPayload } from './event';
import { linksOf } from './links';
import { type ChannelType, channelDefinitionOf, pagingTypes } from './providers/definitions';

/** The event of a test message; its subject is the channel, if it has a page: one that is stored and belongs to the team. */
export function testEvent(channel: { id: string; type: string; name: string } | null, at = new Date()): EventPayload {
  const about = { incident: null, monitor: null };
  const subject = channel && { channel: { id: channel.id, type: channel.type, name: channel.name } };
  return {
    type: 'channel.test',
    timestamp: at.toISOString(),
    data: { ...about, ...subject, links: linksOf(about) },
  };
}

/** What a successful test of a type of channel did besides; null for nothing. */
export function testNote(type: ChannelType): string | null {
  if (!pagingTypes.includes(type)) return null;
  return `The test opened an alert in ${channelDefinitionOf(type).label} and resolved it again.`;
}
