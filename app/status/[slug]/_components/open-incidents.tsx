import { Badge } from '@/app/_components/ui/badge';
import type { PublicIncident } from '@/server/status-pages/schema';
import { incidentWords, updateWords, utcMoment } from './words';

/** What is wrong now, each with its story, latest first. */
export function OpenIncidents({ incidents }: { incidents: PublicIncident[] }) {
  return incidents.map((incident) => {
    const { id, title, status, impact, component, startedAt, updates } = incident;
    return (
      <section
        key={id}
        id={`incident-${id}`}
        aria-labelledby={`title-${id}`}
        className="mt-6 rounded-4 border bg-surface px-4 pt-3.5 pb-1 sm:px-5"
      >
        <div className="mb-1 flex flex-wrap items-center gap-2">
          <h2 id={`title-${id}`} className="min-w-0 grow text-lead [overflow-wrap:anywhere]">
            {title}
          </h2>
          <Badge state={impact}>{incidentWords[status]}</Badge>
        </div>
        <p className="mb-3 text-small text-faint [overflow-wrap:anywhere]">
          Affects {component}. Started {utcMoment(startedAt)}.
        </p>
        {updates.map((update) => (
          <div
            key={update.id}
            className="grid gap-x-4 gap-y-1 border-t py-3 text-body sm:grid-cols-[168px_minmax(0,1fr)]"
          >
            <time dateTime={update.at} className="num font-mono text-small text-faint">
              {utcMoment(update.at)}
            </time>
            <p className="whitespace-pre-line [overflow-wrap:anywhere]">
              <span className="font-semibold">{updateWords[update.kind]}</span> {update.message}
            </p>
          </div>
        ))}
      </section>
    );
  });
}
