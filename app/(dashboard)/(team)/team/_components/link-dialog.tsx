'use client';

import { useState } from 'react';
import { useSendsMail } from '@/app/_components/instance';
import { Button } from '@/app/_components/ui/button';
import { CopyButton } from '@/app/_components/ui/copy-button';
import { Dialog } from '@/app/_components/ui/dialog';
import { Stamp } from '@/app/_components/ui/since';
import type { NewInvitation } from '@/server/teams/schema';

export interface LinkDialogProps {
  /** The invitation that was just made; null closes the dialog. */
  invitation: NewInvitation | null;
  onClose: () => void;
}

/** A new invitation's link, shown this once. */
export function LinkDialog({ invitation, onClose }: LinkDialogProps) {
  const sendsMail = useSendsMail();
  // What is shown while the dialog closes.
  const [shown, setShown] = useState(invitation);
  if (invitation && invitation !== shown) setShown(invitation);
  if (!shown) return null;
  return (
    <Dialog
      open={invitation !== null}
      onOpenChange={(open) => !open && onClose()}
      title={`The link for ${shown.email}`}
      description={
        sendsMail
          ? 'We email it to them. You can also copy it and pass it on yourself; it is not shown again.'
          : 'This instance sends no email. Copy the link and pass it on yourself; it is not shown again.'
      }
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="grid justify-items-start gap-2 rounded-2 border bg-sunken px-2.5 py-2">
        <p className="mono text-small [overflow-wrap:anywhere]">{shown.url}</p>
        <CopyButton text={shown.url} label="Copy the link">
          Copy link
        </CopyButton>
      </div>
      <p className="text-small text-muted">
        It lets in one person, until <Stamp at={shown.expiresAt} />.
      </p>
    </Dialog>
  );
}
