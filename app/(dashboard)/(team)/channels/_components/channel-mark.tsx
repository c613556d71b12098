import { cn } from '@/app/_components/cn';
import { Icon, type IconName } from '@/app/_components/ui/icon';
import { type ChannelType, channelDefinitionOf } from '@/server/notifications/schema';

/** Icons of the kinds that are not services of their own. */
const icons: Partial<Record<ChannelType, IconName>> = { email: 'mail', webhook: 'hook', custom: 'hook' };

/** Two letters for a service: the initials of its words or its capitals, or else its first two letters. */
export function lettersOf(label: string): string {
  const initials = label.match(/\b[A-Za-z]|(?<=[a-z])[A-Z]/g) ?? [];
  return initials.length >= 2 ? initials.slice(0, 2).join('') : label.slice(0, 2);
}

/** The square with the mark of a channel's kind. */
export function ChannelMark({ type, className }: { type: ChannelType; className?: string }) {
  const icon = icons[type];
  return (
    <span
      aria-hidden="true"
      className={cn(
        'grid size-7 shrink-0 place-items-center rounded-2 border border-strong bg-sunken text-micro font-semibold text-muted',
        className,
      )}
    >
      {icon ? <Icon name={icon} small /> : lettersOf(channelDefinitionOf(type).label)}
    </span>
  );
}
