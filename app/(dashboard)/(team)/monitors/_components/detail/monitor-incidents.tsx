'use client';

import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import { daySentence, utcDay } from '@/app/_components/charts/day-words';
import { IncidentList } from '@/app/_components/incidents/incident-list';
import { linkClass } from '@/app/_components/page';
import { Empty } from '@/app/_components/ui/empty';
import type { MonitorDetail } from '@/server/monitor-types/schema';
import { DAY_MS } from '@/server/time/schema';
import { readDay } from './incident-day';

/** The incidents of one monitor: all of them, or those of the day in the URL. */
export function MonitorIncidents({ detail }: { detail: MonitorDetail }) {
  const pathname = usePathname();
  const day = readDay(useSearchParams().get('day'));
  if (!day) {
    return (
      <IncidentList
        filter={{ monitorId: detail.monitor.id }}
        empty={<Empty title="No incidents">When this monitor goes down, its incidents appear here.</Empty>}
      />
    );
  }
  return (
    <>
      <p className="mb-3 flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span>
          <b className="font-medium">{utcDay(day.from)} (UTC)</b>
          <span className="num text-muted">{dayNote(detail, day.from)}</span>
        </span>
        <Link href={`${pathname}?tab=incidents`} scroll={false} className={linkClass}>
          Show all incidents
        </Link>
      </p>
      <IncidentList
        key={day.from}
        filter={{ monitorId: detail.monitor.id, ...day }}
        empty={<Empty title="No incidents on this day">No incidents were open on this day (UTC).</Empty>}
      />
    </>
  );
}

/** The monitor's status and uptime on one of the days in the chart. */
function dayNote({ days, dayUptimes, chart }: MonitorDetail, from: string): string | null {
  const ago = Math.floor(Date.parse(chart.to) / DAY_MS) - Math.floor(Date.parse(from) / DAY_MS);
  const index = days.length - 1 - ago;
  return index in days ? ` · ${daySentence(days[index] ?? null, dayUptimes[index])}` : null;
}
