'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { stateWords } from '@/app/_components/states';
import { toast } from '@/app/_components/toasts';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { Icon } from '@/app/_components/ui/icon';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import type { IncidentDetail } from '@/server/incidents/schema';

/** What can be done to an incident that is not resolved. */
export function IncidentActions({ detail: { incident, monitor } }: { detail: IncidentDetail }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const onSettled = async () => {
    await Promise.all([
      queryClient.invalidateQueries(trpc.incidents.pathFilter()),
      queryClient.invalidateQueries(trpc.monitors.pathFilter()),
    ]);
  };
  const acknowledging = useMutation(
    trpc.incidents.acknowledge.mutationOptions({
      onSettled,
      onSuccess: () => toast({ message: 'Acknowledged. Everyone who was told hears that you are on it.' }),
      onError: (error) => toast({ message: readApiError(error).message, failed: true }),
    }),
  );
  const resolving = useMutation(
    trpc.incidents.resolve.mutationOptions({ onSettled, onSuccess: () => setAsking(false) }),
  );
  const isDown = monitor?.status === 'down';
  return (
    <div className="flex flex-wrap items-center gap-2 max-sm:w-full">
      <Button variant="primary" onClick={() => setAsking(true)} className="max-sm:flex-1">
        <Icon name="check" />
        Resolve
      </Button>
      {incident.status === 'open' ? (
        <Button
          busy={acknowledging.isPending}
          onClick={() => acknowledging.mutate({ id: incident.id })}
          className="max-sm:flex-1"
        >
          {acknowledging.isPending ? null : <Icon name="eye" />}
          Acknowledge
        </Button>
      ) : null}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Resolve this incident?"
        safe="Keep it open"
        verb={isDown ? 'Resolve anyway' : 'Resolve'}
        danger={isDown}
        doing={resolving}
        onConfirm={() => resolving.mutate({ id: incident.id })}
      >
        {isDown
          ? 'The monitor is still down. If the next check fails, a new incident opens and everyone is told again.'
          : `${monitor ? `The monitor is ${stateWords[monitor.status].toLowerCase()}. ` : ''}Everyone who was told hears that it is over.`}
      </ConfirmDialog>
    </div>
  );
}
