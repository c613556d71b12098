import type { IconName } from '@/app/_components/ui/icon';

export interface Destination {
  href: string;
  label: string;
  icon: IconName;
  /** The number of open incidents stands beside it. */
  counted?: boolean;
}

const everyones: readonly Destination[] = [
  { href: '/monitors', label: 'Monitors', icon: 'monitors' },
  { href: '/incidents', label: 'Incidents', icon: 'incidents', counted: true },
  { href: '/channels', label: 'Channels', icon: 'channels' },
  { href: '/status-pages', label: 'Status pages', icon: 'pages' },
  { href: '/team', label: 'Team', icon: 'team' },
];

const administrators: readonly Destination[] = [{ href: '/instance/mail', label: 'Kept mail', icon: 'mail' }];

/** Where the navigation leads: for everyone, and for administrators of the instance. */
export function destinations(isAdmin: boolean): { main: readonly Destination[]; instance: readonly Destination[] } {
  return { main: everyones, instance: isAdmin ? administrators : [] };
}

/** Whether a destination is where the person is, or above it. */
export function isAt(pathname: string, href: string): boolean {
  return pathname === href || pathname.startsWith(`${href}/`);
}
