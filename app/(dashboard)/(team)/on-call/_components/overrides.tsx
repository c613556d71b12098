'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Section } from '@/app/_components/page';
import { toast } from '@/app/_components/toast/toast';
import { AlertDialog } from '@/app/_components/ui/alert-dialog';
import { Button } from '@/app/_components/ui/button';
import { lazyPart } from '@/app/_components/ui/lazy-part';
import { useTRPC } from '@/app/_trpc/client';
import type { Override, Schedule, Timeline } from '@/server/on-call/schema';
import { momentText } from './on-call-words';

// Loaded when it is opened for the first time.
const OverrideDialog = lazyPart(() => import('./override-dialog').then((module) => module.OverrideDialog));

export interface OverridesProps {
  schedule: Schedule;
  timeline: Timeline;
  /** Whether the user may edit and delete a person's overrides. */
  canChange: (userId: string) => boolean;
}

/** The overrides within the range of a timeline. */
export function Overrides({ schedule, timeline, canChange }: OverridesProps) {
  const [editing, setEditing] = useState<Override | null>(null);
  const [deleting, setDeleting] = useState<Override | null>(null);
  const timesOf = ({ startsAt, endsAt }: Override) =>
    `${momentText(startsAt, schedule.timezone)} – ${momentText(endsAt, schedule.timezone)}`;
  return (
    <Section title="Overrides">
      {timeline.overrides.length === 0 ? <p className="text-muted">No overrides in these two weeks.</p> : null}
      <ul className="divide-y">
        {timeline.overrides.map((override) => (
          <li key={override.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
            <span className="font-medium [overflow-wrap:anywhere]">{override.user.name}</span>
            <span className="num text-muted">{timesOf(override)}</span>
            <span className="min-w-0 grow text-muted [overflow-wrap:anywhere]">{override.reason}</span>
            {canChange(override.user.id) ? (
              <span className="flex gap-1">
                <Button
                  size="small"
                  aria-label={`Edit the override of ${override.user.name}`}
                  onClick={() => setEditing(override)}
                >
                  Edit
                </Button>
                <Button
                  size="small"
                  aria-label={`Delete the override of ${override.user.name}`}
                  onClick={() => setDeleting(override)}
                >
                  Delete
                </Button>
              </span>
            ) : null}
          </li>
        ))}
      </ul>
      {editing ? (
        <OverrideDialog key={editing.id} schedule={schedule} override={editing} onClose={() => setEditing(null)} />
      ) : null}
      <DeleteDialog override={deleting} onClose={() => setDeleting(null)}>
        {deleting
          ? `${deleting.user.name} is no longer on call ${timesOf(deleting)} by this override. The layers and other overrides apply again.`
          : null}
      </DeleteDialog>
    </Section>
  );
}

interface DeleteDialogProps {
  /** Null closes the dialog. */
  override: Override | null;
  onClose: () => void;
  children: React.ReactNode;
}

function DeleteDialog({ override, onClose, children }: DeleteDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const deleting = useMutation(
    trpc.onCall.deleteOverride.mutationOptions({
      onSuccess: () => {
        toast('Override deleted');
        onClose();
        void queryClient.invalidateQueries(trpc.onCall.pathFilter());
      },
    }),
  );
  return (
    <AlertDialog
      open={override !== null}
      onClose={onClose}
      title={`Delete the override of ${override?.user.name ?? ''}?`}
      safe="Cancel"
      verb="Delete override"
      danger
      doing={deleting}
      onConfirm={() => override && deleting.mutate({ id: override.scheduleId, overrideId: override.id })}
    >
      {children}
    </AlertDialog>
  );
}
