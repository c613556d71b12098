import { utcDay } from '@/app/_components/charts/day-words';
import { formatLongDuration } from '@/app/_components/format';
import type { PublicIncident } from '@/server/status-pages/schema';

/** Incidents grouped by start day, newest first. */
function byDay(incidents: PublicIncident[]): { day: string; incidents: PublicIncident[] }[] {
  const days = new Map<string, PublicIncident[]>();
  for (const incident of incidents) {
    const day = incident.startedAt.slice(0, 10);
    days.set(day, [...(days.get(day) ?? []), incident]);
  }
  return [...days].map(([day, own]) => ({ day, incidents: own }));
}

/** Resolved incidents of the last 90 days. */
export function PastIncidents({ incidents }: { incidents: PublicIncident[] }) {
  const days = byDay(incidents);
  return (
    <section aria-labelledby="past">
      <h2 id="past">Past incidents</h2>
      {days.length === 0 ? <p className="past body muted">No resolved incidents in the last 90 days.</p> : null}
      {days.map(({ day, incidents: own }) => (
        <div key={day} className="past">
          <h3 className="small faint">{utcDay(day)}</h3>
          {own.map((incident) => (
            <Incident key={incident.id} incident={incident} />
          ))}
        </div>
      ))}
    </section>
  );
}

function Incident({
  incident: { id, title, component, startedAt, resolvedAt, updates },
}: {
  incident: PublicIncident;
}) {
  const seconds = (Date.parse(resolvedAt ?? startedAt) - Date.parse(startedAt)) / 1000;
  return (
    <div id={`incident-${id}`} className="body">
      <p className="strong">{title}</p>
      {updates
        .filter(({ kind }) => kind === 'note')
        .map((note) => (
          <p key={note.id} className="lines muted">
            {note.message}
          </p>
        ))}
      <p className="num muted">
        Affected {component}. Resolved after {formatLongDuration(seconds)}.
      </p>
    </div>
  );
}
