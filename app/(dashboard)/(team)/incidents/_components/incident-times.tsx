import { Stat, StatGrid } from '@/app/_components/ui/stat-grid';
import type { IncidentDetail } from '@/server/incidents/schema';
import { acknowledgementOf, tookWords } from './acknowledgement';
import { notNotifiedReason } from './alert-words';

/** Times to detect, notify and acknowledge an incident, each measured from its start. */
export function IncidentTimes({ detail }: { detail: IncidentDetail }) {
  const { incident } = detail;
  const taken = acknowledgementOf(detail);
  const isManual = incident.type === 'manual';
  const took = (at: string | null | undefined) => figure(at == null ? '–' : tookWords(incident, at));
  return (
    <StatGrid
      as="dl"
      className={isManual ? 'mt-5 grid-cols-2' : 'mt-5 grid-cols-2 sm:grid-cols-3 max-sm:[&>:last-child]:col-span-2'}
    >
      {isManual ? null : <Stat label="Time to detect" {...took(incident.createdAt)} note="first failure to incident" />}
      <Stat
        label="Time to notify"
        {...took(detail.firstNotifiedAt)}
        note={
          detail.firstNotifiedAt
            ? `${start(isManual)} to first notification`
            : notNotifiedReason(detail, incident.parentIncidentId !== null)
        }
      />
      <Stat
        label="Time to acknowledge"
        {...took(taken?.at)}
        note={taken ? taken.authorName : incident.status === 'resolved' ? 'Not acknowledged' : 'Not acknowledged yet'}
      />
    </StatGrid>
  );
}

/** Splits a duration into value and unit, if it has a single unit. */
function figure(words: string): { value: string; unit?: string } {
  const [value = '', unit, ...more] = words.split(' ');
  return unit !== undefined && more.length === 0 ? { value, unit } : { value: words };
}

/** What an incident's times are measured from. */
const start = (isManual: boolean) => (isManual ? 'opened' : 'first failure');
