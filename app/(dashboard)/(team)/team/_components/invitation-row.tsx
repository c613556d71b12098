import { roleWords } from '@/app/_components/roles';
import { Button } from '@/app/_components/ui/button';
import { Stamp } from '@/app/_components/ui/since';
import type { PendingInvitation } from '@/server/teams/schema';

export interface InvitationRowProps {
  invitation: PendingInvitation;
  /** Whether the person may decide about it: it is for no more than their own role. */
  isMine: boolean;
  isBusy: boolean;
  onResend: () => void;
  onRevoke: () => void;
}

/** One invitation: for whom, as what, until when, by whom. */
export function InvitationRow({ invitation, isMine, isBusy, onResend, onRevoke }: InvitationRowProps) {
  const { email, role, status, expiresAt, createdBy } = invitation;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b py-2 sm:min-h-12">
      <div className="min-w-0 grow basis-full sm:basis-0">
        <p className="font-medium [overflow-wrap:anywhere]">{email}</p>
        <p className="truncate text-small text-muted">
          {status === 'open' ? 'Open until' : 'Expired'} <Stamp at={expiresAt} />
          {createdBy ? <> · invited by {createdBy.name ?? createdBy.email}</> : null}
        </p>
      </div>
      <span className="w-28 text-muted max-sm:grow sm:px-2.5">{roleWords[role].label}</span>
      {isMine ? (
        <span className="flex gap-1">
          <Button variant="ghost" busy={isBusy} aria-label={`Send a new link to ${email}`} onClick={onResend}>
            New link
          </Button>
          <Button variant="ghost" aria-label={`Revoke the invitation of ${email}…`} onClick={onRevoke}>
            Revoke…
          </Button>
        </span>
      ) : null}
    </li>
  );
}
