import { cn } from '@/app/_components/cn';
import type { Shift, Timeline } from '@/server/on-call/schema';
import { DAY_MS } from '@/server/time/schema';
import { momentText } from './on-call-words';

interface Row {
  name: string;
  shifts: Pick<Shift, 'startsAt' | 'endsAt' | 'user' | 'isOverride'>[];
  showsGaps: boolean;
}

interface Range {
  from: number;
  to: number;
}

const share = (at: string, { from, to }: Range) => (100 * (Date.parse(at) - from)) / (to - from);

function Bar({ shift, range }: { shift: Row['shifts'][number]; range: Range }) {
  const start = Math.max(0, share(shift.startsAt, range));
  const width = Math.min(100, share(shift.endsAt, range)) - start;
  return (
    <span
      className={cn(
        'absolute inset-y-1 truncate rounded-2 border px-1.5 text-small leading-6',
        shift.user ? 'bg-sunken' : 'border-s-line bg-s-bg text-s-fg',
        shift.isOverride && 'border-dashed border-strong font-medium',
      )}
      data-state={shift.user ? undefined : 'degraded'}
      style={{ left: `${start}%`, width: `${width}%` }}
      title={shift.user?.name ?? 'Nobody'}
    >
      {shift.user?.name ?? 'Nobody'}
    </span>
  );
}

/** The layers of a schedule, its overrides and the resulting shifts. Phones and screen readers get only the resulting shifts, as a list. */
export function TimelineGrid({ timeline, timeZone, now }: { timeline: Timeline; timeZone: string; now: number }) {
  const range = { from: Date.parse(timeline.from), to: Date.parse(timeline.to) };
  const rows: Row[] = [
    ...timeline.layers.map(({ name, shifts }) => ({ name, shifts, showsGaps: false })),
    { name: 'Overrides', shifts: timeline.overrides.map((each) => ({ ...each, isOverride: true })), showsGaps: false },
    { name: 'Final', shifts: timeline.final, showsGaps: true },
  ];
  const count = Math.round((range.to - range.from) / DAY_MS);
  const days = Array.from({ length: count }, (_, index) => range.from + index * DAY_MS);
  const day = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short', day: 'numeric' });
  const isNow = now >= range.from && now < range.to;
  return (
    <>
      <div className="overflow-hidden rounded-3 border max-md:hidden" aria-hidden="true">
        <div className="grid grid-cols-[128px_minmax(0,1fr)] border-b text-small text-faint">
          <span />
          <div className="grid" style={{ gridTemplateColumns: `repeat(${count}, minmax(0, 1fr))` }}>
            {days.map((at) => (
              <span key={at} className="truncate border-l px-1 py-1">
                {day.format(at)}
              </span>
            ))}
          </div>
        </div>
        {rows.map(({ name, shifts, showsGaps }) => (
          <div key={name} className="grid grid-cols-[128px_minmax(0,1fr)] border-b last:border-b-0">
            <span className={cn('truncate px-2.5 py-1.5', showsGaps && 'font-semibold')}>{name}</span>
            <div className="relative h-9 border-l">
              {shifts
                .filter(({ user }) => user !== null || showsGaps)
                .map((shift) => (
                  <Bar key={`${shift.startsAt} ${shift.user?.id}`} shift={shift} range={range} />
                ))}
              {isNow ? (
                <i
                  className="absolute inset-y-0 w-px bg-accent"
                  style={{ left: `${share(new Date(now).toISOString(), range)}%` }}
                />
              ) : null}
            </div>
          </div>
        ))}
      </div>
      <ol aria-label="Shifts" className="divide-y rounded-3 border md:sr-only">
        {timeline.final.map((shift) => (
          <li key={shift.startsAt} className="grid gap-0.5 px-3 py-2">
            <span className="font-medium">
              {shift.user?.name ?? 'Nobody is on call'}
              {shift.isOverride ? <span className="font-normal text-muted"> (override)</span> : null}
            </span>
            <span className="num text-small text-muted">
              {momentText(shift.startsAt, timeZone)} – {momentText(shift.endsAt, timeZone)}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}
