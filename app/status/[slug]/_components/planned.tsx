import { utcDay } from '@/app/_components/charts/day-words';
import { Notice } from '@/app/_components/ui/notice';
import type { Component, PublicMaintenance } from '@/server/status-pages/schema';
import { utcMoment, utcTime } from './words';

function period(startsAt: string, endsAt: string): string {
  const isOneDay = utcDay(startsAt) === utcDay(endsAt);
  return `${utcMoment(startsAt)} to ${isOneDay ? utcTime(endsAt) : utcMoment(endsAt)}`;
}

/** Work that is planned or under way. */
export function Planned({ maintenances, components }: { maintenances: PublicMaintenance[]; components: Component[] }) {
  if (maintenances.length === 0) return null;
  return (
    <section aria-labelledby="planned" className="mt-8">
      <h2 id="planned" className="mb-3">
        Planned
      </h2>
      <div className="grid gap-3">
        {maintenances.map(({ id, title, startsAt, endsAt, componentIds }) => {
          const names = components.filter((component) => componentIds.includes(component.id)).map(({ name }) => name);
          return (
            <Notice key={id} state="maintenance" title={title}>
              {period(startsAt, endsAt)}. Affects {names.length === components.length ? 'everything' : names.join(', ')}
              .
            </Notice>
          );
        })}
      </div>
    </section>
  );
}
