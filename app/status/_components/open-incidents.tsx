import type { PublicIncident } from '@/server/status-pages/schema';
import { Glyph } from './glyph';
import { incidentWords, updateWords, utcMoment } from './words';

/** Open incidents with their updates, newest first. */
export function OpenIncidents({ incidents }: { incidents: PublicIncident[] }) {
  return incidents.map(({ id, title, status, impact, component, startedAt, updates }) => (
    <section key={id} id={`incident-${id}`} aria-labelledby={`title-${id}`} className="card incident">
      <div className="incident-head">
        <h2 id={`title-${id}`} className="grow">
          {title}
        </h2>
        <span data-state={impact} className="badge box">
          <Glyph state={impact} />
          {incidentWords[status]}
        </span>
      </div>
      <p className="small faint affects">
        Affects {component}. Started {utcMoment(startedAt)}.
      </p>
      {updates.map((update) => (
        <div key={update.id} className="update">
          <time dateTime={update.at}>{utcMoment(update.at)}</time>
          <p className="lines">
            <span className="strong">{updateWords[update.kind]}</span> {update.message}
          </p>
        </div>
      ))}
    </section>
  ));
}
