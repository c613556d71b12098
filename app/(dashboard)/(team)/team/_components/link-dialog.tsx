'use client';

import { useState } from 'react';
import { useSendsMail } from '@/app/_components/instance';
import { OneTimeLink } from '@/app/_components/one-time-link';
import { Timestamp } from '@/app/_components/time/time';
import { Button } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import type { NewInvitation } from '@/server/teams/schema';

export interface LinkDialogProps {
  /** The new invitation; null closes the dialog. */
  invitation: NewInvitation | null;
  onClose: () => void;
}

/** Shows the link of a new invitation once. */
export function LinkDialog({ invitation, onClose }: LinkDialogProps) {
  const sendsMail = useSendsMail();
  // Keeps the content while the dialog closes.
  const [shown, setShown] = useState(invitation);
  if (invitation && invitation !== shown) setShown(invitation);
  if (!shown) return null;
  return (
    <Dialog
      open={invitation !== null}
      onOpenChange={(open) => !open && onClose()}
      title={`Invitation link for ${shown.email}`}
      description={
        sendsMail
          ? 'We emailed this link. You can also copy and share it. It is not shown again.'
          : 'This instance does not send email. Copy the link and share it. It is not shown again.'
      }
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <OneTimeLink url={shown.url} />
      <p className="text-small text-muted">
        Can be used once. Expires <Timestamp at={shown.expiresAt} />.
      </p>
    </Dialog>
  );
}
