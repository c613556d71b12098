'use client';

import { usePathname } from 'next/navigation';
import { DayBars } from '@/app/_components/charts/day-bars';
import { utcDay } from '@/app/_components/charts/day-words';
import { Section } from '@/app/_components/page';
import { useClockText } from '@/app/_components/time/time';
import type { MonitorDetail } from '@/server/monitor-types/schema';
import { DAY_MS } from '@/server/time/schema';
import { openDay } from './incident-day';
import { meaning } from './uptime-words';

/** The last 90 days of a monitor as bars whose height shows the worst state. A click on a day opens its incidents. */
export function Days({ detail: { days, dayUptimes, uptimes, chart } }: { detail: MonitorDetail }) {
  const pathname = usePathname();
  const whole = uptimes.find(({ range }) => range === '90d');
  return (
    <Section
      title="90 days"
      actions={whole ? <span className="num text-small text-faint">{meaning(whole)}</span> : null}
    >
      <DayBars days={days} uptimes={dayUptimes} now={chart.to} onOpen={(day) => openDay(pathname, day)} />
      <p aria-hidden="true" className="num mt-1.5 flex justify-between gap-3 text-small text-faint">
        <DaysAgo days={89} />
        <DaysAgo days={60} className="max-sm:hidden" />
        <DaysAgo days={30} className="max-sm:hidden" />
        <span>Today</span>
      </p>
    </Section>
  );
}

function DaysAgo({ days, className }: { days: number; className?: string }) {
  return <span className={className}>{useClockText((now) => utcDay(now - days * DAY_MS, now, 'short'))}</span>;
}
