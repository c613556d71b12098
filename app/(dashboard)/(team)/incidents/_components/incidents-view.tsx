'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import { formatCount } from '@/app/_components/format';
import { IncidentList } from '@/app/_components/incidents/incident-list';
import { PageHead } from '@/app/_components/page';
import { Button } from '@/app/_components/ui/button';
import { Empty } from '@/app/_components/ui/empty';
import { Icon } from '@/app/_components/ui/icon';
import { ToggleGroup } from '@/app/_components/ui/toggle-group';
import { useTitle } from '@/app/_components/use-title';
import { useTRPC } from '@/app/_trpc/client';
import type { IncidentListRow } from '@/server/incidents/schema';
import { filterOf, readShow, type Show, shows } from './show';

export interface IncidentsViewProps {
  /** The data rendered by the server, and its filter. */
  initial: { show: Show; data: { incidents: IncidentListRow[]; nextCursor: string | null } } | undefined;
  canWrite: boolean;
}

const nothing: Record<Show, { title: string; text: string }> = {
  all: { title: 'No incidents', text: 'When a monitor goes down, its incident appears here.' },
  open: { title: 'No open incidents', text: 'When a monitor goes down, its incident appears here.' },
  resolved: { title: 'No resolved incidents', text: 'Resolved incidents are listed here.' },
};

/** The incidents list. */
export function IncidentsView({ initial, canWrite }: IncidentsViewProps) {
  const trpc = useTRPC();
  const pathname = usePathname();
  const show = readShow(useSearchParams().get('show'));
  const open = useQuery(trpc.incidents.openCount.queryOptions()).data;
  useTitle(`${open ? `${formatCount(open)} open · ` : ''}Incidents · Upwatch`);
  const choose = (value: Show) =>
    window.history.pushState(null, '', value === 'all' ? pathname : `${pathname}?show=${value}`);
  const { title, text } = nothing[show];
  return (
    <>
      <PageHead title="Incidents" note={open ? `${formatCount(open)} open` : null}>
        <ToggleGroup label="Show" options={shows} value={show} onValueChange={choose} />
        {canWrite ? (
          <Button asChild variant="primary">
            <Link href="/incidents/new">
              <Icon name="plus" />
              New incident
            </Link>
          </Button>
        ) : null}
      </PageHead>
      <IncidentList
        filter={filterOf(show)}
        initial={initial?.show === show ? initial.data : undefined}
        empty={<Empty title={title}>{text}</Empty>}
      />
    </>
  );
}
