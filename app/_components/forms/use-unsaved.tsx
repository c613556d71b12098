'use client';

import { usePathname, useRouter } from 'next/navigation';
import { useCallback, useContext, useEffect, useRef, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { ManagedWarning } from '@/app/_components/managed-by-git';
import { Alert } from '@/app/_components/ui/alert';
import { AlertDialog, prepareAlertDialog } from '@/app/_components/ui/alert-dialog';
import { DialogGuard } from '@/app/_components/ui/dialog-parts';
import { useDraftOwner } from './draft-owner';
import { isLeavingToSignIn, onSessionEnd, takeDraft, writeDraft } from './drafts';
import { useLeaveGuard } from './use-leave-guard';

const idle = { isPending: false, error: null, reset: () => undefined };

/** The version that a form edits, managed by `useEdit`. */
export interface EditedVersion {
  version: string;
  /** The external ID of the object, which says whether files in Git describe it. */
  externalId: string | null;
  /** Called with the version that a restored draft is based on. */
  setVersion: (version: string | null) => void;
  /** Called when the form becomes dirty or clean. */
  setDirty: (isDirty: boolean) => void;
}

export interface UnsavedOptions<Values> {
  /** Set if the form edits an object. */
  edit?: EditedVersion | undefined;
  /** Distinguishes forms on the same page. */
  part?: string;
  /** The values to store in a draft; null for no draft. Default: all values except passwords and those that cannot be restored. */
  toDraft?: ((values: Values) => Values) | null;
}

/**
 * Warns before an edit of what files in Git describe, and protects unsaved changes: asks before leaving the page or closing the form's dialog. If the session ends, stores a draft in this tab and restores
 * it after the sign-in.
 * @returns what to render in the form
 */
export function useUnsaved<Values extends FieldValues, Input>(
  form: UseFormReturn<Values, unknown, Input>,
  { edit, part, toDraft = (values) => values }: UnsavedOptions<Values> = {},
): React.ReactNode {
  const owner = useDraftOwner();
  const pathname = usePathname();
  const name = part ? `${pathname}#${part}` : pathname;
  const router = useRouter();
  const { isDirty } = form.formState;
  const [restored, setRestored] = useState(false);
  const [leave, setLeave] = useState<(() => void) | null>(null);
  const version = edit?.version ?? null;
  const current = useRef({ form, edit, toDraft });
  current.current = { form, edit, toDraft };

  useEffect(() => current.current.edit?.setDirty(isDirty), [isDirty]);

  useEffect(() => {
    const draft = takeDraft(name, owner);
    if (!draft) return;
    current.current.form.reset(draft.values as Values, { keepDefaultValues: true });
    current.current.edit?.setVersion(draft.version);
    setRestored(true);
  }, [name, owner]);

  useEffect(() => {
    if (!isDirty) return;
    return onSessionEnd(() => {
      const { form: own, toDraft: pick } = current.current;
      if (pick) writeDraft(name, { owner, version, values: pick(own.getValues()) });
    });
  }, [isDirty, name, owner, version]);

  useEffect(() => {
    if (isDirty) prepareAlertDialog();
  }, [isDirty]);

  useEffect(() => {
    if (!isDirty) return;
    const ask = (event: BeforeUnloadEvent) => {
      if (!isLeavingToSignIn()) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isDirty]);

  const ask = useCallback((proceed: () => void) => setLeave(() => proceed), []);
  const letGo = useLeaveGuard(isDirty, { ask, push: router.push });
  const dialog = useContext(DialogGuard);
  useEffect(() => {
    if (!isDirty || !dialog) return;
    dialog.current = ask;
    return () => {
      dialog.current = null;
    };
  }, [isDirty, dialog, ask]);

  return (
    <>
      {edit ? <ManagedWarning externalId={edit.externalId} /> : null}
      {restored && isDirty ? (
        <Alert state="unknown" role="status" className="mb-4">
          Your session ended before you saved. Your unsaved changes have been restored.
        </Alert>
      ) : null}
      <AlertDialog
        open={leave !== null}
        onClose={() => setLeave(null)}
        title="Leave without saving?"
        safe="Keep editing"
        verb="Discard changes"
        danger
        doing={idle}
        onConfirm={() => {
          letGo();
          setLeave(null);
          leave?.();
        }}
      >
        Your changes have not been saved.
      </AlertDialog>
    </>
  );
}

interface UnsavedProps<Values extends FieldValues, Input> extends UnsavedOptions<Values> {
  form: UseFormReturn<Values, unknown, Input>;
}

/** `useUnsaved` for a form whose state lives outside of its dialog. */
export function Unsaved<Values extends FieldValues, Input>({ form, ...options }: UnsavedProps<Values, Input>) {
  return useUnsaved(form, options);
}
