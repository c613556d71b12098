import type { IconName } from '@/app/_components/ui/icon';

export interface Destination {
  href: string;
  label: string;
  icon: IconName;
  /** Shows the number of open incidents. */
  counted?: boolean;
  /** On phones, the link is in the menu of the bottom bar, which has room for five. */
  inMenu?: boolean;
}

const ofTeam: readonly Destination[] = [
  { href: '/monitors', label: 'Monitors', icon: 'monitors' },
  { href: '/incidents', label: 'Incidents', icon: 'incidents', counted: true },
  { href: '/on-call', label: 'On-call', icon: 'on-call', inMenu: true },
  { href: '/maintenance', label: 'Maintenance', icon: 'maintenance', inMenu: true },
  { href: '/reports', label: 'Reports', icon: 'reports', inMenu: true },
  { href: '/channels', label: 'Channels', icon: 'channels' },
  { href: '/status-pages', label: 'Status pages', icon: 'pages' },
  { href: '/team', label: 'Team', icon: 'team', inMenu: true },
];

const settings: Destination = { href: '/settings', label: 'Settings', icon: 'settings' };
const instance: Destination = { href: '/instance', label: 'Instance', icon: 'key' };

export interface Destinations {
  main: readonly Destination[];
  /** Rarely used pages, in the account menu on phones. */
  rest: readonly Destination[];
}

/** The links of the navigation. */
export function destinations({ isAdmin, hasTeam }: { isAdmin: boolean; hasTeam: boolean }): Destinations {
  return { main: hasTeam ? ofTeam : [], rest: isAdmin ? [settings, instance] : [settings] };
}

/** Whether a destination is the current page or a parent of it. */
export function isAt(pathname: string, href: string): boolean {
  return pathname === href || pathname.startsWith(`${href}/`);
}
