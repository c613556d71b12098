import Link from 'next/link';
import { linkClass } from '@/app/_components/page';
import { Timestamp } from '@/app/_components/time/time';
import type { IncidentEscalation } from '@/server/incidents/schema';

const ends = { stopped: 'stopped', finished: 'ended, not acknowledged' } as const;

/** "Payments, step 1 of 3, next at 03:26" */
export function EscalationLine({ escalation }: { escalation: IncidentEscalation }) {
  const { policyId, policyName, status, step, steps, round, rounds, nextStepAt } = escalation;
  const times = rounds > 1 ? `, round ${round} of ${rounds}` : '';
  return (
    <>
      <Link href={`/on-call/escalation-policies/${policyId}`} className={linkClass}>
        {policyName}
      </Link>
      {step > 0 ? `, step ${step} of ${steps}${times}` : null}
      {status === 'running' ? null : `, ${ends[status]}`}
      {nextStepAt ? (
        <>
          , next at <Timestamp at={nextStepAt} />
        </>
      ) : null}
    </>
  );
}
