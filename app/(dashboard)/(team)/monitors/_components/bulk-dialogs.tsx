'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatCount } from '@/app/_components/format';
import { AlertDialog } from '@/app/_components/ui/alert-dialog';
import { Button } from '@/app/_components/ui/button';
import { CheckboxRow } from '@/app/_components/ui/checkbox';
import { Dialog } from '@/app/_components/ui/dialog';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { ToggleGroup } from '@/app/_components/ui/toggle-group';
import { useTRPC } from '@/app/_trpc/client';
import { countWords } from './count-words';

export type BulkDialog = 'tags' | 'channels' | 'delete';

export interface BulkDialogsProps {
  dialog: BulkDialog;
  /** The number of selected monitors. */
  count: number;
  onClose: () => void;
  onTag: (tag: string, isAdded: boolean) => void;
  onChannels: (ids: string[] | null) => void;
  onDelete: () => void;
}

/** The dialogs of bulk actions that need an answer first. */
export function BulkDialogs({ dialog, count, onClose, onTag, onChannels, onDelete }: BulkDialogsProps) {
  const closing = (act: () => void) => {
    onClose();
    act();
  };
  switch (dialog) {
    case 'tags':
      return <TagDialog count={count} onClose={onClose} onTag={(...change) => closing(() => onTag(...change))} />;
    case 'channels':
      return <ChannelsDialog count={count} onClose={onClose} onSave={(ids) => closing(() => onChannels(ids))} />;
    case 'delete':
      return (
        <AlertDialog
          open
          onClose={onClose}
          title={`Delete ${countWords(count)}?`}
          safe="Cancel"
          verb={count === 1 ? 'Delete monitor' : `Delete ${formatCount(count)} monitors`}
          danger
          doing={{ isPending: false, error: null, reset: () => undefined }}
          onConfirm={() => closing(onDelete)}
        >
          Checks stop at once. After 20 s, the monitors and their check history are deleted; until then you can undo it.
          Incidents are kept; open ones are resolved.
        </AlertDialog>
      );
    default:
      return dialog satisfies never;
  }
}

function TagDialog({
  count,
  onClose,
  onTag,
}: {
  count: number;
  onClose: () => void;
  onTag: BulkDialogsProps['onTag'];
}) {
  const trpc = useTRPC();
  const known = useQuery(trpc.monitors.tags.queryOptions()).data?.tags ?? [];
  const [text, setText] = useState('');
  const tag = text.trim().toLowerCase();
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Tags of ${countWords(count)}`}
      footer={
        <>
          <Button disabled={tag === ''} onClick={() => onTag(tag, false)}>
            Remove tag
          </Button>
          <Button variant="primary" disabled={tag === ''} onClick={() => onTag(tag, true)}>
            Add tag
          </Button>
        </>
      }
    >
      <form
        className="pb-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (tag !== '') onTag(tag, true);
        }}
      >
        <Field label="Tag" help="Lowercase. Each monitor can have 20 tags.">
          <Input
            value={text}
            maxLength={50}
            autoComplete="off"
            list="known-tags"
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
        <datalist id="known-tags">
          {known.map((each) => (
            <option key={each.tag} value={each.tag} />
          ))}
        </datalist>
      </form>
    </Dialog>
  );
}

const modes = [
  { value: 'all', label: 'All channels' },
  { value: 'some', label: 'Selected channels' },
] as const;

function ChannelsDialog({
  count,
  onClose,
  onSave,
}: {
  count: number;
  onClose: () => void;
  onSave: BulkDialogsProps['onChannels'];
}) {
  const trpc = useTRPC();
  const channels = useQuery(trpc.notifications.list.queryOptions({ limit: 100 }));
  const list = channels.data?.channels ?? [];
  const [chosen, setChosen] = useState<string[] | null>(null);
  const toggle = (id: string, isOn: boolean) =>
    setChosen((before) => (isOn ? [...(before ?? []), id] : (before ?? []).filter((each) => each !== id)));
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Channels of ${countWords(count)}`}
      description="Replaces the channels that get alerts from these monitors."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" onClick={() => onSave(chosen)}>
            Set channels
          </Button>
        </>
      }
    >
      <div className="grid justify-items-start gap-3 pt-1 pb-2">
        <ToggleGroup
          label="Channels"
          options={modes}
          value={chosen === null ? 'all' : 'some'}
          onValueChange={(mode) => setChosen(mode === 'all' ? null : [])}
        />
        {channels.isError ? <p className="text-muted">Could not load the channels.</p> : null}
        {chosen === null ? null : (
          <div className="grid max-h-[40dvh] gap-1 overflow-y-auto">
            {list.map(({ id, name }) => (
              <CheckboxRow
                key={id}
                checked={chosen.includes(id)}
                onCheckedChange={(checked) => toggle(id, checked === true)}
              >
                <span className="font-medium">{name}</span>
              </CheckboxRow>
            ))}
            {chosen.length === 0 ? <p className="text-muted">Without a channel, nobody is notified.</p> : null}
          </div>
        )}
      </div>
    </Dialog>
  );
}
