import { formatLatency, formatLongDuration } from '@/app/_components/format';
import { Ledger, Tile } from '@/app/_components/ui/ledger';
import type { IncidentDetail } from '@/server/incidents/schema';
import { acknowledgementOf } from './acknowledgement';

/** How long it took until an incident was noticed, told and taken. */
export function IncidentTimes({ detail }: { detail: IncidentDetail }) {
  const { incident, messages } = detail;
  const opened = Date.parse(incident.createdAt);
  const taken = acknowledgementOf(detail);
  const told = messages.flatMap(({ event, status, lastAttemptAt }) =>
    event === 'incident.opened' && status === 'delivered' && lastAttemptAt ? [Date.parse(lastAttemptAt)] : [],
  );
  const isManual = incident.type === 'manual';
  return (
    <Ledger
      as="dl"
      className={isManual ? 'mt-5 grid-cols-2' : 'mt-5 grid-cols-2 sm:grid-cols-3 max-sm:[&>:last-child]:col-span-2'}
    >
      {isManual ? null : (
        <Tile label="To detect" {...figure(opened - Date.parse(incident.startedAt))} note="first failure to open" />
      )}
      <Tile
        label="To tell someone"
        {...figure(told.length > 0 ? Math.min(...told) - opened : null)}
        note={told.length > 0 ? 'open to first message' : 'no message got through'}
      />
      <Tile
        label="To acknowledge"
        {...figure(taken ? Date.parse(taken.at) - opened : null)}
        note={taken ? taken.authorName : incident.status === 'resolved' ? 'nobody did' : 'nobody did yet'}
      />
    </Ledger>
  );
}

/** A length of time with its unit set apart, where there is one. */
function figure(ms: number | null): { value: string; unit?: string } {
  if (ms === null) return { value: '–' };
  const shown = Math.max(0, ms);
  if (shown >= 60_000) return { value: formatLongDuration(shown / 1000) };
  const [value = '', unit = ''] = formatLatency(shown).split(' ');
  return { value, unit };
}
