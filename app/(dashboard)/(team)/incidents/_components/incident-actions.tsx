'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useKeys } from '@/app/_components/keys';
import { toast } from '@/app/_components/toast/toast';
import { AlertDialog } from '@/app/_components/ui/alert-dialog';
import { Button } from '@/app/_components/ui/button';
import { Icon } from '@/app/_components/ui/icon';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import type { IncidentDetail } from '@/server/incidents/schema';
import { acknowledgedWords, resolveWords } from './alert-words';

/** Reopens a resolved incident after a confirmation. */
export function ReopenAction({ incidentId }: { incidentId: string }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const reopening = useMutation(
    trpc.incidents.reopen.mutationOptions({
      onSettled: () => queryClient.invalidateQueries(trpc.incidents.pathFilter()),
      onSuccess: () => setAsking(false),
    }),
  );
  return (
    <>
      <Button onClick={() => setAsking(true)}>Reopen</Button>
      <AlertDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Reopen this incident?"
        safe="Keep resolved"
        verb="Reopen"
        doing={reopening}
        onConfirm={() => reopening.mutate({ id: incidentId })}
      >
        Its channels are notified. It stays open until someone resolves it; if the monitor fails again, another incident
        opens.
      </AlertDialog>
    </>
  );
}

/** The actions on an unresolved incident. */
export function IncidentActions({ detail }: { detail: IncidentDetail }) {
  const { incident } = detail;
  // Null for a manual incident, because the status of its monitors does not affect it.
  const monitor = incident.type === 'manual' ? null : detail.monitor;
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
      onSuccess: async () => {
        const fresh = await queryClient.fetchQuery(
          trpc.incidents.detail.queryOptions({ id: incident.id }, { staleTime: 0 }),
        );
        toast(acknowledgedWords(fresh));
      },
      onError: (error) => toast.error(readApiError(error).message),
    }),
  );
  const resolving = useMutation(
    trpc.incidents.resolve.mutationOptions({ onSettled, onSuccess: () => setAsking(false) }),
  );
  const isOpen = incident.status === 'open';
  useKeys({ a: isOpen && !acknowledging.isPending && (() => acknowledging.mutate({ id: incident.id })) });
  const isDown = monitor?.status === 'down';
  return (
    <div className="flex flex-wrap items-center gap-2 max-sm:w-full">
      {isOpen ? (
        <Button
          variant="primary"
          aria-keyshortcuts="a"
          busy={acknowledging.isPending}
          onClick={() => acknowledging.mutate({ id: incident.id })}
          className="max-sm:flex-1"
        >
          {acknowledging.isPending ? null : <Icon name="eye" />}
          Acknowledge
        </Button>
      ) : null}
      <Button {...(!isOpen && { variant: 'primary' })} onClick={() => setAsking(true)} className="max-sm:flex-1">
        <Icon name="check" />
        Resolve
      </Button>
      <AlertDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Resolve this incident?"
        safe="Keep open"
        verb={isDown ? 'Resolve anyway' : 'Resolve'}
        danger={isDown}
        doing={resolving}
        onConfirm={() => resolving.mutate({ id: incident.id })}
      >
        {resolveWords({ ...detail, monitor })}
      </AlertDialog>
    </div>
  );
}
