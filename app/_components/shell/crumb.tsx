'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { destinations, isAt } from '@/app/_components/shell/destinations';
import { Icon } from '@/app/_components/ui/icon';

const { main } = destinations({ isAdmin: false, hasTeam: true });

/** The link to the parent list, if there is one. */
export function Crumb() {
  const pathname = usePathname();
  const above = main.find(({ href }) => isAt(pathname, href) && pathname !== href);
  if (!above) return null;
  return (
    <nav aria-label="Breadcrumb" className="flex min-w-0 items-center gap-1.5 text-muted max-sm:hidden">
      <Icon name="chevron-right" small />
      <Link href={above.href} className="rounded-1 whitespace-nowrap hover:text-ink">
        {above.label}
      </Link>
    </nav>
  );
}
