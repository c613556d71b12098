'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { type Destination, isAt } from '@/app/_components/shell/destinations';
import { useUnresolvedIncidents } from '@/app/_components/shell/unresolved-incidents';
import { Count } from '@/app/_components/ui/count';
import { DropdownMenu, DropdownMenuItem } from '@/app/_components/ui/dropdown-menu';
import { Icon } from '@/app/_components/ui/icon';

const itemClass =
  'relative grid h-(--bottombar) content-center justify-items-center gap-[3px] text-micro leading-[14px] text-muted before:absolute before:-top-px before:h-0.5 before:w-7 focus-inset aria-[current=page]:font-medium aria-[current=page]:text-accent-fg aria-[current=page]:before:bg-accent';

/** The main navigation on phones. */
export function BottomBar({ main }: { main: readonly Destination[] }) {
  const pathname = usePathname();
  const unresolved = useUnresolvedIncidents();
  const onBar = main.filter(({ inMenu }) => !inMenu);
  return (
    <nav
      aria-label="Main, bottom"
      className="fixed inset-x-0 bottom-0 z-30 grid auto-cols-fr grid-flow-col border-t bg-surface pb-[env(safe-area-inset-bottom)] sm:hidden print:hidden"
    >
      {onBar.map(({ href, label, icon, counted }) => (
        <Link key={href} href={href} aria-current={isAt(pathname, href) ? 'page' : undefined} className={itemClass}>
          <Icon name={icon} className="size-5" />
          {label}
          {counted && unresolved > 0 ? (
            <>
              <span aria-hidden="true" className="absolute top-1.5 left-[calc(50%+5px)]">
                <Count value={unresolved} state="down" className="ring-2 ring-surface" />
              </span>
              <span className="sr-only">{unresolved} unresolved</span>
            </>
          ) : null}
        </Link>
      ))}
      <More destinations={main.filter(({ inMenu }) => inMenu)} />
    </nav>
  );
}

function More({ destinations }: { destinations: readonly Destination[] }) {
  const pathname = usePathname();
  const isCurrent = destinations.some(({ href }) => isAt(pathname, href));
  return (
    <DropdownMenu
      trigger={
        <button type="button" aria-current={isCurrent ? 'page' : undefined} className={itemClass}>
          <Icon name="rows" className="size-5" />
          More
        </button>
      }
    >
      {destinations.map(({ href, label, icon }) => (
        <DropdownMenuItem key={href} asChild>
          <Link href={href} aria-current={isAt(pathname, href) ? 'page' : undefined}>
            <Icon name={icon} />
            {label}
          </Link>
        </DropdownMenuItem>
      ))}
    </DropdownMenu>
  );
}
