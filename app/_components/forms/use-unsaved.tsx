'use client';

import { usePathname, useRouter } from 'next/navigation';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { Alert } from '@/app/_components/ui/alert';
import { AlertDialog } from '@/app/_components/ui/alert-dialog';
import { useDraftOwner } from './draft-owner';
import { isLeavingToSignIn, onSessionEnd, takeDraft, writeDraft } from './drafts';
import { useLeaveGuard } from './use-leave-guard';

const idle = { isPending: false, error: null, reset: () => undefined };

/** The version that a form edits, managed by `useEdit`. */
export interface EditedVersion {
  version: string;
  /** Called with the version that a restored draft is based on. */
  setVersion: (version: string | null) => void;
  /** Called when the form becomes dirty or clean. */
  setDirty: (isDirty: boolean) => void;
}

/**
 * Protects unsaved changes: asks before leaving the page, and stores a draft in this tab if the session ends, which is
 * restored after signing in.
 * @param edit for a form that edits an object; omit it for a new one
 * @returns what to render in the form
 */
export function useUnsaved<Values extends FieldValues, Input>(
  form: UseFormReturn<Values, unknown, Input>,
  edit?: EditedVersion,
): React.ReactNode {
  const owner = useDraftOwner();
  const name = usePathname();
  const router = useRouter();
  const { isDirty } = form.formState;
  const [restored, setRestored] = useState(false);
  const [leave, setLeave] = useState<(() => void) | null>(null);
  const version = edit?.version ?? null;
  const current = useRef({ form, edit });
  current.current = { form, edit };

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
    return onSessionEnd(() => writeDraft(name, { owner, version, values: current.current.form.getValues() }));
  }, [isDirty, name, owner, version]);

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

  return (
    <>
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
