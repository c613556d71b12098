'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatLongDuration } from '@/app/_components/format';
import { Section } from '@/app/_components/page';
import { Timestamp } from '@/app/_components/time/time';
import { toast } from '@/app/_components/toast/toast';
import { AlertDialog } from '@/app/_components/ui/alert-dialog';
import { Button } from '@/app/_components/ui/button';
import { lazyPart } from '@/app/_components/ui/lazy-part';
import { useTRPC } from '@/app/_trpc/client';
import type { Exclusion } from '@/server/history/schema';

// Loaded when it is opened for the first time.
const ExcludeDialog = lazyPart(() => import('./exclude-dialog').then((module) => module.ExcludeDialog));

const lengthOf = ({ from, to }: Exclusion) => formatLongDuration((Date.parse(to) - Date.parse(from)) / 1000);

export interface ExclusionsProps {
  monitorId: string;
  /** The outages in the chart, newest last. */
  outages: readonly { from: string; to: string | null }[];
  canWrite: boolean;
}

/** The time ranges excluded from a monitor's uptime, each with its author and reason. */
export function Exclusions({ monitorId, outages, canWrite }: ExclusionsProps) {
  const trpc = useTRPC();
  const [isAdding, setAdding] = useState<boolean | null>(null);
  const [removing, setRemoving] = useState<Exclusion | null>(null);
  const query = useQuery(trpc.exclusions.list.queryOptions({ id: monitorId, limit: 100 }));
  const exclusions = query.data?.exclusions ?? [];
  if (!query.data || (exclusions.length === 0 && !canWrite)) return null;
  return (
    <Section
      title="Excluded from uptime"
      actions={
        canWrite ? (
          <Button size="small" variant="plain" onClick={() => setAdding(true)}>
            Exclude time
          </Button>
        ) : null
      }
    >
      {exclusions.length === 0 ? (
        <p className="text-muted">No exclusions.</p>
      ) : (
        <ul aria-label="Excluded from uptime" className="divide-y">
          {exclusions.map((exclusion) => (
            <li key={exclusion.id} className="grid gap-0.5 py-[7px]">
              <div className="flex items-baseline gap-2">
                <span className="min-w-0 grow">
                  <Timestamp at={exclusion.from} /> – <Timestamp at={exclusion.to} />
                </span>
                <span className="text-small text-faint">{lengthOf(exclusion)}</span>
              </div>
              <p className="[overflow-wrap:anywhere]">{exclusion.reason}</p>
              <div className="flex items-center gap-2 text-small text-faint">
                <span className="min-w-0 grow [overflow-wrap:anywhere]">
                  {exclusion.author}, <Timestamp at={exclusion.createdAt} />
                </span>
                {canWrite ? (
                  <Button size="small" variant="ghost" onClick={() => setRemoving(exclusion)}>
                    Remove
                  </Button>
                ) : null}
              </div>
            </li>
          ))}
        </ul>
      )}
      {isAdding === null ? null : (
        <ExcludeDialog monitorId={monitorId} outages={outages} open={isAdding} onClose={() => setAdding(false)} />
      )}
      <RemoveDialog exclusion={removing} onClose={() => setRemoving(null)} />
    </Section>
  );
}

function RemoveDialog({ exclusion, onClose }: { exclusion: Exclusion | null; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const removing = useMutation(
    trpc.exclusions.delete.mutationOptions({
      onSuccess: async () => {
        toast('Exclusion removed');
        onClose();
        await queryClient.invalidateQueries(trpc.exclusions.pathFilter());
        await queryClient.invalidateQueries(trpc.monitors.pathFilter());
      },
    }),
  );
  return (
    <AlertDialog
      open={exclusion !== null}
      onClose={onClose}
      title="Remove this exclusion?"
      safe="Keep exclusion"
      verb="Remove exclusion"
      doing={removing}
      onConfirm={() => exclusion && removing.mutate({ id: exclusion.monitorId, exclusionId: exclusion.id })}
    >
      {exclusion
        ? `The time of “${exclusion.reason}” counts towards uptime again. The audit log keeps a record of the exclusion.`
        : null}
    </AlertDialog>
  );
}
