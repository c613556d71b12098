'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { Brand } from '@/app/_components/shell/brand';
import { type Destination, type Destinations, isAt } from '@/app/_components/shell/destinations';
import { useUnresolvedIncidents } from '@/app/_components/shell/unresolved-incidents';
import { Count } from '@/app/_components/ui/count';
import { Icon } from '@/app/_components/ui/icon';

const itemClass =
  'relative flex h-8 w-full shrink-0 items-center gap-2.5 rounded-2 px-2.5 font-medium text-muted hover:bg-active hover:text-ink focus-inset aria-[current=page]:bg-active aria-[current=page]:text-ink aria-[current=page]:[&>svg]:text-accent-fg';

function Item({ href, label, icon, counted }: Destination) {
  const pathname = usePathname();
  return (
    <Link href={href} title={label} aria-current={isAt(pathname, href) ? 'page' : undefined} className={itemClass}>
      <Icon name={icon} />
      <span className="grow text-left max-xl:sr-only xl:group-data-rail/app:sr-only">{label}</span>
      {counted ? <UnresolvedCount /> : null}
    </Link>
  );
}

/** The number of unresolved incidents; a dot if only the icon is visible. */
function UnresolvedCount() {
  const count = useUnresolvedIncidents();
  if (count === 0) return null;
  return (
    <>
      <span aria-hidden="true" className="hidden xl:inline-grid xl:group-data-rail/app:hidden">
        <Count value={count} state="down" />
      </span>
      <span className="sr-only">{count} unresolved</span>
      <span
        aria-hidden="true"
        className="absolute top-1.5 left-6 size-[7px] rounded-[2px] bg-down-solid ring-2 ring-canvas xl:hidden xl:group-data-rail/app:block"
      />
    </>
  );
}

export interface SidebarProps extends Destinations {
  collapsed: boolean;
  onCollapse: (collapsed: boolean) => void;
}

/** The main navigation: icons from 640 px, icons and labels from 1200 px. */
export function Sidebar({ main, rest, collapsed, onCollapse }: SidebarProps) {
  return (
    <nav
      aria-label="Main"
      className="sticky top-0 hidden h-dvh flex-col gap-0.5 overflow-x-hidden overflow-y-auto px-2 py-3 sm:flex print:hidden xl:px-3 xl:group-data-rail/app:px-2"
    >
      <Link href="/monitors" aria-label="Upwatch" className="mb-3.5 px-1.5">
        <Brand nameClassName="hidden xl:inline xl:group-data-rail/app:hidden" />
      </Link>
      {main.map((destination) => (
        <Item key={destination.href} {...destination} />
      ))}
      <span className="grow" />
      {rest.map((destination) => (
        <Item key={destination.href} {...destination} />
      ))}
      <button
        type="button"
        aria-expanded={!collapsed}
        title={collapsed ? 'Expand the sidebar' : 'Collapse the sidebar'}
        aria-keyshortcuts="["
        onClick={() => onCollapse(!collapsed)}
        className={`${itemClass} max-xl:hidden`}
      >
        <Icon name="panel" className={collapsed ? '-scale-x-100' : ''} />
        <span className={collapsed ? 'sr-only' : ''}>{collapsed ? 'Expand' : 'Collapse'}</span>
      </button>
    </nav>
  );
}
