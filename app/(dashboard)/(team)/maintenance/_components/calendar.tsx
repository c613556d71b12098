'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { cn } from '@/app/_components/cn';
import { FailedQuery } from '@/app/_components/failed-query';
import { Glyph } from '@/app/_components/status/glyph';
import { useTimeZone } from '@/app/_components/time/time-zone';
import { Button } from '@/app/_components/ui/button';
import { DropdownMenu, DropdownMenuItem } from '@/app/_components/ui/dropdown-menu';
import { Icon } from '@/app/_components/ui/icon';
import { useTRPC } from '@/app/_trpc/client';
import type { WindowOccurrence } from '@/server/maintenance/schema';
import { DAY_MS } from '@/server/time/schema';
import { addMonths, byDay, daysOf, monthAt } from './calendar-days';

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const MOST_A_DAY = 3;

function monthText(month: string): string {
  const options = { timeZone: 'UTC', month: 'long', year: 'numeric' } as const;
  return new Intl.DateTimeFormat('en-GB', options).format(new Date(`${month}-01T00:00:00Z`));
}

/** A month's calendar of maintenance, with a link for each occurrence. */
export function Calendar() {
  const trpc = useTRPC();
  const timeZone = useTimeZone() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const today = new Date().toLocaleDateString('sv-SE', { timeZone });
  const [month, setMonth] = useState(() => monthAt(Date.now(), timeZone));
  const days = daysOf(month);
  // One more day on both sides covers every time zone.
  const from = new Date(Date.parse(`${days[0]}T00:00:00Z`) - DAY_MS).toISOString();
  const to = new Date(Date.parse(`${days.at(-1)}T00:00:00Z`) + 2 * DAY_MS).toISOString();
  const query = useQuery(
    trpc.maintenance.occurrences.queryOptions({ from, to }, { placeholderData: keepPreviousData }),
  );
  const events = byDay(query.data?.occurrences ?? [], timeZone);
  const isRead = query.isSuccess && !query.isPlaceholderData;
  const isEmpty = isRead && !days.some((day) => day.startsWith(month) && events.has(day));
  return (
    <section aria-label="Calendar">
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <h2 className="min-w-36" aria-live="polite">
          {monthText(month)}
        </h2>
        <Button square aria-label="Previous month" onClick={() => setMonth(addMonths(month, -1))}>
          <Icon name="chevron-right" className="rotate-180" />
        </Button>
        <Button square aria-label="Next month" onClick={() => setMonth(addMonths(month, 1))}>
          <Icon name="chevron-right" />
        </Button>
        <Button onClick={() => setMonth(monthAt(Date.now(), timeZone))}>Today</Button>
        <span className="grow" />
        <span className="text-small text-faint">{timeZone.replaceAll('_', ' ')}</span>
      </div>
      {query.isError && !query.data ? (
        <FailedQuery query={query} title="Could not load the calendar" />
      ) : (
        <>
          <div aria-hidden="true" className="grid grid-cols-7 text-small text-muted max-sm:hidden">
            {weekdays.map((day) => (
              <span key={day} className="px-2 pb-1">
                {day}
              </span>
            ))}
          </div>
          {isEmpty ? <p className="mb-3 text-muted">No maintenance in {monthText(month)}</p> : null}
          <ol
            className={cn(
              'grid gap-px overflow-hidden rounded-3 border bg-border sm:grid-cols-7',
              isEmpty && 'max-sm:hidden',
            )}
          >
            {days.map((day) => (
              <Day
                key={day}
                day={day}
                isToday={day === today}
                isOff={!day.startsWith(month)}
                events={events.get(day) ?? []}
                timeZone={timeZone}
              />
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

interface DayProps {
  day: string;
  isToday: boolean;
  /** Whether the day belongs to another month. */
  isOff: boolean;
  events: WindowOccurrence[];
  timeZone: string;
}

function Day({ day, isToday, isOff, events, timeZone }: DayProps) {
  const clock = (at: string) =>
    new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(new Date(at));
  const long = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', weekday: 'long', day: 'numeric', month: 'long' });
  return (
    <li
      // Phones list only days with maintenance.
      className={cn(
        'grid min-w-0 content-start gap-1 bg-surface p-1.5 sm:min-h-24',
        events.length === 0 && 'max-sm:hidden',
        isOff && 'bg-canvas max-sm:hidden',
      )}
    >
      <time dateTime={day} aria-current={isToday ? 'date' : undefined} className="num text-small">
        <span
          className={cn(
            'max-sm:hidden',
            isOff ? 'text-faint' : 'text-muted',
            isToday && 'font-semibold text-accent-fg',
          )}
        >
          {Number(day.slice(8))}
        </span>
        <span className="font-medium sm:hidden">{long.format(new Date(`${day}T00:00:00Z`))}</span>
      </time>
      {events.slice(0, MOST_A_DAY).map(({ maintenanceWindowId, title, startsAt, endsAt }) => (
        <Link
          key={`${maintenanceWindowId} ${startsAt}`}
          href={`/maintenance/${maintenanceWindowId}`}
          title={`${clock(startsAt)}–${clock(endsAt)} ${title}`}
          data-state="maintenance"
          className={cn(
            'flex min-w-0 items-center gap-1.5 rounded-1 bg-s-subtle px-1.5 py-0.5 text-small text-s-fg hover:underline max-sm:min-h-10',
            Date.parse(endsAt) < Date.now() && 'opacity-70',
          )}
        >
          <Glyph state="maintenance" size="small" />
          <span className="truncate">
            <span className="num">{clock(startsAt)}</span> {title}
          </span>
        </Link>
      ))}
      {events.length > MOST_A_DAY ? (
        <DropdownMenu
          align="start"
          trigger={
            <button
              type="button"
              aria-label={`${events.length - MOST_A_DAY} more on ${long.format(new Date(`${day}T00:00:00Z`))}`}
              className="w-fit rounded-1 px-1.5 py-0.5 text-small text-muted hover:underline max-sm:min-h-10"
            >
              {events.length - MOST_A_DAY} more
            </button>
          }
        >
          {events.slice(MOST_A_DAY).map(({ maintenanceWindowId, title, startsAt }) => (
            <DropdownMenuItem key={`${maintenanceWindowId} ${startsAt}`} asChild>
              <Link href={`/maintenance/${maintenanceWindowId}`} className="max-w-[320px]">
                <span className="num text-muted">{clock(startsAt)}</span>
                <span className="truncate">{title}</span>
              </Link>
            </DropdownMenuItem>
          ))}
        </DropdownMenu>
      ) : null}
    </li>
  );
}
