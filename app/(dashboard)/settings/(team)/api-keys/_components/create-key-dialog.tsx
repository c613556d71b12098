'use client';

import { useId, useState } from 'react';
import { Evidence } from '@/app/_components/page';
import { Button } from '@/app/_components/ui/button';
import { CopyButton } from '@/app/_components/ui/copy-button';
import { Dialog } from '@/app/_components/ui/dialog';
import type { CreatedApiKey } from '@/server/api-keys/schema';
import { KeyForm } from './key-form';

export interface CreateKeyDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Creates a key, then shows its secret once. */
export function CreateKeyDialog({ open, onOpenChange }: CreateKeyDialogProps) {
  const formId = useId();
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  const [busy, setBusy] = useState(false);
  const close = (next: boolean) => {
    onOpenChange(next);
    if (!next) setCreated(null);
  };
  if (created) {
    return (
      <Dialog
        open={open}
        onOpenChange={close}
        title={`Secret of “${created.apiKey.name}”`}
        description="Copy the secret now. It cannot be shown again."
        footer={
          <Button variant="primary" onClick={() => close(false)}>
            Done
          </Button>
        }
      >
        <Evidence
          head={
            <CopyButton text={created.secret} label="Copy secret">
              Copy secret
            </CopyButton>
          }
        >
          <p className="mono p-3 [overflow-wrap:anywhere]">{created.secret}</p>
        </Evidence>
      </Dialog>
    );
  }
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title="New API key"
      footer={
        <>
          <Button onClick={() => close(false)}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" busy={busy}>
            Create key
          </Button>
        </>
      }
    >
      <KeyForm formId={formId} onBusy={setBusy} onCreated={setCreated} />
    </Dialog>
  );
}
