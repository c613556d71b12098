import { utcDay } from '@/app/_components/charts/day-words';
import type { Component, PublicMaintenance } from '@/server/status-pages/schema';
import { Glyph } from './glyph';
import { utcMoment, utcTime } from './words';

function period(startsAt: string, endsAt: string): string {
  const isOneDay = utcDay(startsAt) === utcDay(endsAt);
  return `${utcMoment(startsAt)} to ${isOneDay ? utcTime(endsAt) : utcMoment(endsAt)}`;
}

export interface PlannedProps {
  maintenances: PublicMaintenance[];
  components: Component[];
  slug: string;
}

/** Scheduled and active maintenance. */
export function Planned({ maintenances, components, slug }: PlannedProps) {
  if (maintenances.length === 0) return null;
  return (
    <section aria-labelledby="planned">
      <h2 id="planned">Scheduled maintenance</h2>
      {maintenances.map(({ id, title, startsAt, endsAt, componentIds }) => {
        const names = components.filter((component) => componentIds.includes(component.id)).map(({ name }) => name);
        const affected = names.length === components.length ? 'all services' : names.join(', ');
        return (
          <div key={id} data-state="maintenance" className="notice box">
            <Glyph state="maintenance" />
            <div>
              <p className="strong">{title}</p>
              <p className="muted">
                {period(startsAt, endsAt)}. Affects {affected}.
              </p>
            </div>
          </div>
        );
      })}
      <p className="muted">
        <a href={`/status/${slug}/maintenance.ics`}>Add to calendar</a>
      </p>
    </section>
  );
}
