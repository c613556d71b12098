'use client';

import { useMutation } from '@tanstack/react-query';
import { CenteredTitle } from '@/app/_components/centered-layout';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { incidentState, incidentWords } from '@/app/_components/incidents/incident-words';
import { DetailList } from '@/app/_components/page';
import { StateLabel } from '@/app/_components/status/state-label';
import { Timestamp } from '@/app/_components/time/time';
import { Button } from '@/app/_components/ui/button';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import type { Acknowledgment } from '@/server/incidents/schema';

const titles: Record<Acknowledgment['status'], string> = {
  open: 'Acknowledge this incident?',
  acknowledged: 'Incident acknowledged',
  resolved: 'Incident resolved',
};

/** What follows from the status, for the reader. */
function noteOf({ status, teamName, acknowledgedBy }: Acknowledgment): string {
  switch (status) {
    case 'open':
      return `Tells ${teamName} that you are working on it.`;
    case 'acknowledged':
      return `${acknowledgedBy ?? 'Someone'} acknowledged it. You can close this page.`;
    case 'resolved':
      return 'It no longer needs to be acknowledged. You can close this page.';
    default:
      return status satisfies never;
  }
}

export interface AcknowledgeIncidentProps {
  token: string;
  initial: Acknowledgment;
}

/** Asks the reader of a message to acknowledge its incident, and says who did. */
export function AcknowledgeIncident({ token, initial }: AcknowledgeIncidentProps) {
  const trpc = useTRPC();
  const acknowledging = useMutation(trpc.incidents.acknowledgeByLink.mutationOptions());
  const shown = acknowledging.data?.acknowledgment ?? initial;
  return (
    <>
      <CenteredTitle>{titles[shown.status]}</CenteredTitle>
      <DetailList
        className="border-y text-body"
        facts={[
          ['Incident', shown.title],
          ['Monitor', shown.monitorName],
          ['Team', shown.teamName],
          ['Started', <Timestamp key="at" at={shown.startedAt} full />],
          ['Status', <StateLabel key="status" state={incidentState(shown)} word={incidentWords[shown.status]} />],
        ]}
      />
      <p role="status" className="text-body text-muted [overflow-wrap:anywhere]">
        {noteOf(shown)}
      </p>
      <FormProblem>{acknowledging.error ? readApiError(acknowledging.error).message : null}</FormProblem>
      {shown.status === 'open' ? (
        <Button
          variant="primary"
          size="large"
          busy={acknowledging.isPending}
          onClick={() => acknowledging.mutate({ token })}
        >
          Acknowledge
        </Button>
      ) : null}
    </>
  );
}
