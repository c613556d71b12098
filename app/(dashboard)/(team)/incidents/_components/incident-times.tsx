import { Ledger, Tile } from '@/app/_components/ui/ledger';
import type { IncidentDetail } from '@/server/incidents/schema';
import { acknowledgementOf, tookWords } from './acknowledgement';
import { notToldWords } from './alert-words';

/** How long it took until an incident was detected, told and acknowledged, each from the moment it began. */
export function IncidentTimes({ detail }: { detail: IncidentDetail }) {
  const { incident, messages } = detail;
  const taken = acknowledgementOf(detail);
  const told = messages.flatMap(({ event, status, lastAttemptAt }) =>
    event !== 'incident.acknowledged' && event !== 'incident.resolved' && status === 'delivered' && lastAttemptAt
      ? [lastAttemptAt]
      : [],
  );
  const [firstTold] = told.toSorted();
  const isManual = incident.type === 'manual';
  const took = (at: string | undefined) => figure(at === undefined ? '–' : tookWords(incident, at));
  return (
    <Ledger
      as="dl"
      className={isManual ? 'mt-5 grid-cols-2' : 'mt-5 grid-cols-2 sm:grid-cols-3 max-sm:[&>:last-child]:col-span-2'}
    >
      {isManual ? null : <Tile label="Time to detect" {...took(incident.createdAt)} note="first failure to incident" />}
      <Tile
        label="Time to notify"
        {...took(firstTold)}
        note={firstTold ? `${start(isManual)} to first message` : notToldWords(detail)}
      />
      <Tile
        label="Time to acknowledge"
        {...took(taken?.at)}
        note={taken ? taken.authorName : incident.status === 'resolved' ? 'Not acknowledged' : 'Not acknowledged yet'}
      />
    </Ledger>
  );
}

/** A length of time with its unit set apart, where there is one. */
function figure(words: string): { value: string; unit?: string } {
  const [value = '', unit, ...more] = words.split(' ');
  return unit !== undefined && more.length === 0 ? { value, unit } : { value: words };
}

/** What an incident's times count from. */
const start = (isManual: boolean) => (isManual ? 'opened' : 'first failure');
