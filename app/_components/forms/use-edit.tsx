'use client';

import { useState } from 'react';
import { Button } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import { readApiError } from '@/app/_trpc/errors';
import { changedValues } from './changed-values';

interface Edited {
  updatedAt: string;
  /** Of objects that files in Git may describe. */
  externalId?: string | null;
}

export interface EditOptions<Thing extends Edited, Input> {
  /** The current version, which others may change during the edit. */
  latest: Thing;
  /** Saves the changes to the version `ifUpdatedAt` and returns the new version. */
  save: (input: Input, ifUpdatedAt: string) => Promise<Thing>;
  /** Fetches the current version. */
  read: () => Promise<Thing>;
  onSaved: (saved: Thing) => void;
}

interface Conflict<Thing, Input> {
  message: string;
  theirs: Thing;
  input: Input;
}

/**
 * Edits one version. Until the user types, the form follows changes by others. Then it keeps its version; if the server reports a conflict, the user
 * chooses between the two versions.
 */
export function useEdit<Thing extends Edited, Input>({ latest, save, read, onSaved }: EditOptions<Thing, Input>) {
  const [base, setBase] = useState(latest);
  const [version, setVersion] = useState(latest.updatedAt);
  const [isDirty, setDirty] = useState(false);
  const [conflict, setConflict] = useState<Conflict<Thing, Input> | null>(null);

  const take = (thing: Thing) => {
    setBase(thing);
    setVersion(thing.updatedAt);
    setDirty(false);
    setConflict(null);
  };
  if (!isDirty && latest.updatedAt > base.updatedAt) take(latest);

  const send = async (input: Input, ifUpdatedAt: string) => {
    try {
      const saved = await save(input, ifUpdatedAt);
      take(saved);
      onSaved(saved);
    } catch (error) {
      const { code, message } = readApiError(error);
      if (code !== 'EDIT_CONFLICT') throw error;
      setConflict({ message, theirs: await read(), input });
    }
  };

  return {
    /** The initial values of the form, and a key that resets it. */
    base,
    key: base.updatedAt,
    version,
    externalId: latest.externalId ?? null,
    setVersion: (restored: string | null) => setVersion(restored ?? base.updatedAt),
    setDirty,
    onSave: (input: Input) => send(input, version),
    conflict: conflict ? (
      <ConflictDialog
        before={base}
        {...conflict}
        onClose={() => setConflict(null)}
        onTake={() => take(conflict.theirs)}
        onOverwrite={() => send(conflict.input, conflict.theirs.updatedAt)}
      />
    ) : null,
  };
}

interface ConflictDialogProps {
  message: string;
  before: object;
  theirs: object;
  onClose: () => void;
  onTake: () => void;
  onOverwrite: () => Promise<void>;
}

/** Shows the changes of both sides, with a choice between the two versions. Closing it continues the edit. */
function ConflictDialog({ message, before, theirs, onClose, onTake, onOverwrite }: ConflictDialogProps) {
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const changes = changedValues(before, theirs);
  const overwrite = async () => {
    setSending(true);
    setFailure(null);
    try {
      await onOverwrite();
    } catch (error) {
      setFailure(readApiError(error).message);
    } finally {
      setSending(false);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Changed while you were editing"
      description={message}
      footer={
        <>
          <Button onClick={onTake}>Use their version</Button>
          <Button variant="primary" busy={isSending} onClick={overwrite}>
            Keep my version
          </Button>
        </>
      }
    >
      {changes.length > 0 ? (
        <ul aria-label="Their changes" className="mt-1 grid gap-1">
          {changes.map(({ label, now }) => (
            <li key={label} className="[overflow-wrap:anywhere]">
              {label}
              {now === null ? ' was changed' : <>: {now}</>}
            </li>
          ))}
        </ul>
      ) : null}
      {failure ? <p role="alert">{failure}</p> : null}
    </Dialog>
  );
}
