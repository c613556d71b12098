import type { EventPayload } from './event';
import { linksOf } from './links';

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
