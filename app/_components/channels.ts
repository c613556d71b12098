import type { IconName } from '@/app/_components/ui/icon';
import {
  type ChannelCategory,
  type ChannelType,
  channelTypes,
  channelKinds as kinds,
} from '@/server/channel-lists/values';
import type { Channel } from '@/server/notifications/schema';

const icons = {
  chat: 'chat',
  'email-and-phone': 'mail',
  paging: 'on-call',
  automation: 'hook',
} as const satisfies Record<ChannelCategory, IconName>;

export function channelIcon(type: ChannelType): IconName {
  return icons[kinds[type].category];
}

const MOST_NAMED = 4;

/** All kinds of channels in a sentence: "email, Slack, Discord, LINE, or 22 other services". */
export const channelKinds = new Intl.ListFormat('en', { type: 'disjunction' }).format([
  ...channelTypes.slice(0, MOST_NAMED).map((type) => {
    const { label, category } = kinds[type];
    return category === 'chat' ? label : label.toLowerCase();
  }),
  `${channelTypes.length - MOST_NAMED} other services`,
]);

/** The kind to show before a channel's name; null if the name starts with it. */
export function kindBefore(type: ChannelType, name: string): string | null {
  const kind = kinds[type].label;
  return name.toLowerCase().startsWith(kind.toLowerCase()) ? null : kind;
}

/** The kind of a channel, with a note if it fails: "Slack, failing". */
export function channelNote({ type, state }: Pick<Channel, 'type' | 'state'>): string {
  return kinds[type].label + (state === 'failing' ? ', failing' : '');
}

/** The name of a channel within a list, with a note if it fails: "Ops (failing)". */
export function channelName({ name, state }: Pick<Channel, 'name' | 'state'>): string {
  return state === 'failing' ? `${name} (failing)` : name;
}

const eventWords: Record<string, string> = {
  'incident.opened': 'Incident opened',
  'incident.acknowledged': 'Incident acknowledged',
  'incident.resolved': 'Incident resolved',
  'incident.reminder': 'Reminder',
  'incident.escalated': 'Escalation',
  'incident.reopened': 'Incident reopened',
  'monitor.certificate_expiring': 'Certificate expires soon',
  'maintenance.upcoming': 'Maintenance planned',
  'maintenance.started': 'Maintenance started',
  'maintenance.ended': 'Maintenance ended',
  'maintenance.cancelled': 'Maintenance cancelled',
  'channel.failing': 'Channel failing',
  'channel.recovered': 'Channel recovered',
  'channel.test': 'Test',
};

/** The label of a message's event. */
export function eventName(event: string): string {
  return eventWords[event] ?? event;
}

/** Whether a text is a channel type. */
export function isChannelType(type: string): type is ChannelType {
  return Object.hasOwn(kinds, type);
}
