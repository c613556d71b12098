import { incidentState, incidentWords } from '@/app/_components/incidents/incident-words';
import { StateLabel } from '@/app/_components/status/state-label';
import { Timestamp } from '@/app/_components/time/time';
import type { Acknowledgment } from '@/server/incidents/schema';

/** An incident of an acknowledge link. */
export type LinkedIncident = Acknowledgment['incidents'][number];

export function Status({ incident }: { incident: LinkedIncident }) {
  const isReopened = incident.isReopened && incident.status !== 'resolved';
  const word = isReopened ? 'Reopened' : incidentWords[incident.status];
  return <StateLabel state={incidentState(incident)} word={word} />;
}

export function StartTime({ incident }: { incident: LinkedIncident }) {
  return <Timestamp at={incident.startedAt} full />;
}

/** The incidents of a message: title, monitors unless the title contains them, start, status, and who acknowledged them. */
export function LinkedIncidentList({ incidents }: { incidents: LinkedIncident[] }) {
  return (
    <ul aria-label="Incidents" className="divide-y border-y text-body">
      {incidents.map((incident, index) => {
        const { title, monitorNames, acknowledgedBy, status } = incident;
        const further = monitorNames.filter((name) => !title.includes(name));
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the incidents of a link have no IDs, and their order is stable
          <li key={index} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-0.5 py-[7px]">
            <span className="font-medium [overflow-wrap:anywhere]">{title}</span>
            <Status incident={incident} />
            <span className="col-span-2 text-small text-muted [overflow-wrap:anywhere]">
              {further.length > 0 ? `${further.join(', ')} · ` : null}
              <StartTime incident={incident} />
              {status === 'acknowledged' && acknowledgedBy !== null ? ` · by ${acknowledgedBy}` : null}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
