import { stateWords } from '@/app/_components/status/states';
import { Duration } from '@/app/_components/time/duration';
import { TextWithTimes } from '@/app/_components/time/text-with-times';
import { Timestamp } from '@/app/_components/time/time';
import { isPassive } from '@/server/monitor-lists/values';
import type { MonitorDetail } from '@/server/monitor-types/schema';

/** The status in a sentence, with its start and reason. */
export function Verdict({ detail }: { detail: MonitorDetail }) {
  const { monitor, statusSince, lastError } = detail;
  if (monitor.status === 'pending') {
    const waits = isPassive(monitor.type) ? 'Waiting for the first ping.' : 'The first check takes about a second.';
    return <p className="text-body text-muted">Pending. {waits}</p>;
  }
  const reason = monitor.status === 'paused' || monitor.status === 'up' ? null : lastError;
  return (
    <p className="text-body text-muted [overflow-wrap:anywhere]">
      <b className={monitor.status === 'up' ? 'font-semibold text-ink' : 'font-semibold text-s-fg'}>
        {stateWords[monitor.status]} for <Duration at={statusSince} />
      </b>
      , since <Timestamp at={statusSince} />
      {detail.maintenanceUntil ? (
        <>
          {' '}
          until <Timestamp at={detail.maintenanceUntil} />. No incidents open during maintenance
        </>
      ) : null}
      . {reason === null ? null : <TextWithTimes>{sentence(reason)}</TextWithTimes>}
      {detail.isFlapping ? ' Flapping: the incident stays open until the monitor is stable.' : null}
    </p>
  );
}

/** Ends a text with a full stop. */
function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
