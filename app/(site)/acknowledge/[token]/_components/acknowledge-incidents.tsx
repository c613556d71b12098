'use client';

import { useMutation } from '@tanstack/react-query';
import { CenteredTitle } from '@/app/_components/centered-layout';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { DetailList } from '@/app/_components/page';
import { Button } from '@/app/_components/ui/button';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import type { Acknowledgment } from '@/server/incidents/schema';
import { type LinkedIncident, LinkedIncidentList, StartTime, Status } from './linked-incidents';

/** Whether the link still has to acknowledge the incident. */
const isWaiting = ({ status, isReopened }: LinkedIncident) => status === 'open' && !isReopened;

function titleOf(incidents: LinkedIncident[]): string {
  const waiting = incidents.filter(isWaiting).length;
  const [first, ...others] = incidents;
  const isOne = others.length === 0;
  if (waiting > 0 && isOne) return 'Acknowledge this incident?';
  if (waiting > 0) return `Acknowledge ${waiting} ${waiting === 1 ? 'incident' : 'incidents'}?`;
  if (first?.isReopened && first.status !== 'resolved') return isOne ? 'Incident reopened' : 'Incidents reopened';
  const isResolved = incidents.every(({ status }) => status === 'resolved');
  return `${isOne ? 'Incident' : 'Incidents'} ${isResolved ? 'resolved' : 'acknowledged'}`;
}

/** The note for a reader about the statuses of the incidents. */
function noteOf({ incidents, teamName }: Acknowledgment): string {
  const [first, ...others] = incidents;
  const isOne = others.length === 0;
  const waiting = incidents.filter(isWaiting).length;
  if (waiting > 0) return `Tells ${teamName} that you are working on ${waiting === 1 ? 'it' : 'them'}.`;
  const isReopened = incidents.some(({ status, isReopened: again }) => again && status !== 'resolved');
  if (isReopened) return 'What was reopened after this message is acknowledged with the link in its latest message.';
  if (!isOne) return 'Nothing here waits to be acknowledged. You can close this page.';
  if (first?.status === 'resolved') return 'It no longer needs to be acknowledged. You can close this page.';
  return `${first?.acknowledgedBy ?? 'Someone'} acknowledged it. You can close this page.`;
}

function One({ incident, teamName }: { incident: LinkedIncident; teamName: string }) {
  const { title, monitorNames } = incident;
  return (
    <DetailList
      className="border-y text-body"
      facts={[
        ['Incident', title],
        [monitorNames.length > 1 ? 'Monitors' : 'Monitor', monitorNames.length > 0 ? monitorNames.join(', ') : null],
        ['Team', teamName],
        ['Started', <StartTime key="at" incident={incident} />],
        ['Status', <Status key="status" incident={incident} />],
      ]}
    />
  );
}

export interface AcknowledgeIncidentsProps {
  token: string;
  initial: Acknowledgment;
}

/** Asks the reader of a message to acknowledge its incidents, and shows who acknowledged them. */
export function AcknowledgeIncidents({ token, initial }: AcknowledgeIncidentsProps) {
  const trpc = useTRPC();
  const acknowledging = useMutation(trpc.incidents.acknowledgeByLink.mutationOptions());
  const shown = acknowledging.data?.acknowledgment ?? initial;
  const { incidents, teamName } = shown;
  const [first, ...others] = incidents;
  const isOne = first !== undefined && others.length === 0;
  return (
    <>
      <CenteredTitle>{titleOf(incidents)}</CenteredTitle>
      {isOne ? <One incident={first} teamName={teamName} /> : null}
      <p role="status" className="text-body text-muted [overflow-wrap:anywhere]">
        {noteOf(shown)}
      </p>
      <FormProblem>{acknowledging.error ? readApiError(acknowledging.error).message : null}</FormProblem>
      {incidents.some(isWaiting) ? (
        <Button
          variant="primary"
          size="large"
          busy={acknowledging.isPending}
          onClick={() => acknowledging.mutate({ token })}
        >
          Acknowledge
        </Button>
      ) : null}
      {/* Last, because it may be long. */}
      {isOne ? null : <LinkedIncidentList incidents={incidents} />}
    </>
  );
}
