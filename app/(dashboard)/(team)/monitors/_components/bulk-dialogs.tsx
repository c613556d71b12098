'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatCount } from '@/app/_components/format';
import { AlertDialog } from '@/app/_components/ui/alert-dialog';
import { Button } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { useTRPC } from '@/app/_trpc/client';
import { ChannelChoice } from './channel-choice';
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

function ChannelsDialog({
  count,
  onClose,
  onSave,
}: {
  count: number;
  onClose: () => void;
  onSave: BulkDialogsProps['onChannels'];
}) {
  const [isAll, setAll] = useState(true);
  const [ids, setIds] = useState<string[]>([]);
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Channels of ${countWords(count)}`}
      description="Replaces the channels that get alerts from these monitors."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" onClick={() => onSave(isAll ? null : ids)}>
            Set channels
          </Button>
        </>
      }
    >
      <div className="grid max-h-[50dvh] justify-items-start gap-3 overflow-y-auto pt-1 pb-2">
        <ChannelChoice isAll={isAll} onAll={setAll} ids={ids} onIds={setIds} />
        {isAll || ids.length > 0 ? null : <p className="text-muted">Without a channel, nobody is notified.</p>}
      </div>
    </Dialog>
  );
}
