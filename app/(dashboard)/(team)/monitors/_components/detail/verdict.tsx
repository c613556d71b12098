import { stateWords } from '@/app/_components/states';
import { Stamp } from '@/app/_components/ui/since';
import { LongSince } from '@/app/_components/ui/spell';
import { Told } from '@/app/_components/ui/told';
import { isPassive, type MonitorDetail } from '@/server/monitors/schema';

/** The status in a sentence: since when, and why. */
export function Verdict({ detail }: { detail: MonitorDetail }) {
  const { monitor, statusSince, lastError } = detail;
  if (monitor.status === 'pending') {
    const waits = isPassive(monitor.type) ? 'Waiting for the first ping.' : 'The first check takes about a second.';
    return <p className="text-body text-muted">Pending. {waits}</p>;
  }
  const reason = monitor.status === 'paused' ? 'Checks are paused.' : monitor.status === 'up' ? null : lastError;
  return (
    <p className="text-body text-muted [overflow-wrap:anywhere]">
      <b className={monitor.status === 'up' ? 'font-semibold text-ink' : 'font-semibold text-s-fg'}>
        {stateWords[monitor.status]} for <LongSince at={statusSince} />
      </b>{' '}
      since <Stamp at={statusSince} />. {reason === null ? null : <Told>{sentence(reason)}</Told>}
      {detail.isFlapping ? ' Flapping: the incident stays open until the monitor is stable.' : null}
    </p>
  );
}

/** The text, ended with a full stop. */
function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
