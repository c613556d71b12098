import { useState } from 'react';
import { phaseTimes, totalOf } from '@/app/_components/charts/phases';
import { PhasesMini } from '@/app/_components/charts/waterfall';
import { AttemptDetails, addressOf } from '@/app/_components/evidence/attempt-details';
import { formatMs } from '@/app/_components/format';
import { StateLabel } from '@/app/_components/status/state-label';
import { Timestamp } from '@/app/_components/time/time';
import { Icon } from '@/app/_components/ui/icon';
import type { CheckAttempt } from '@/server/incidents/schema';

const keyOf = ({ at, region }: CheckAttempt) => `${at} ${region}`;

/** The response of a check in a few words: of a URL its status line, or the error. The lines of other types are not what they are about. */
function answerOf({ exchanges, error }: CheckAttempt, url: string | null): string {
  const line = exchanges.at(-1)?.response?.line;
  return (url === null ? (error ?? line) : (line ?? error)) ?? 'Passed';
}

interface AttemptsProps {
  attempts: CheckAttempt[];
  /** Whether the first failing one is expanded from the start. */
  showsFirst: boolean;
  /** The URL of the monitor; null for other types. */
  url: string | null;
}

/** Checks, oldest first. Each expands to its details. */
export function Attempts({ attempts, showsFirst, url }: AttemptsProps) {
  const first = showsFirst ? attempts.find(({ status }) => status !== 'up') : undefined;
  const [open, setOpen] = useState(first ? keyOf(first) : null);
  return (
    <ul className="overflow-hidden rounded-3 border">
      {attempts.map((attempt) => {
        const isOpen = open === keyOf(attempt);
        const times = phaseTimes(attempt);
        const address = attempt.connections.at(-1);
        return (
          <li key={keyOf(attempt)} className="border-b last:border-b-0">
            <button
              type="button"
              aria-expanded={isOpen}
              onClick={() => setOpen(isOpen ? null : keyOf(attempt))}
              className="grid w-full grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-x-2.5 gap-y-1 px-3 py-2 text-left hover:bg-hover focus-inset"
            >
              <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} small className="text-faint" />
              <span className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-0.5">
                <StateLabel state={attempt.status} />
                <span className="font-mono text-small">
                  <Timestamp at={attempt.at} />
                </span>
                <span className="text-muted">{attempt.region}</span>
                {address ? (
                  <span className="font-mono text-small text-muted [overflow-wrap:anywhere]">{addressOf(address)}</span>
                ) : null}
              </span>
              <span className="num text-right">{formatMs(attempt.latencyMs ?? totalOf(times))}</span>
              <span className="col-start-2 min-w-0 font-mono text-small text-muted [overflow-wrap:anywhere]">
                {answerOf(attempt, url)}
              </span>
              <span className="max-sm:hidden">
                <PhasesMini times={times} />
              </span>
            </button>
            {isOpen ? <AttemptDetails attempt={attempt} url={url} /> : null}
          </li>
        );
      })}
    </ul>
  );
}
