import { roleWords } from '@/app/_components/roles';
import { Timestamp } from '@/app/_components/time/time';
import { Button } from '@/app/_components/ui/button';
import type { PendingInvitation } from '@/server/teams/schema';

export interface InvitationRowProps {
  invitation: PendingInvitation;
  /** Whether the user may resend or revoke it, because its role is not above their own. */
  isMine: boolean;
  isBusy: boolean;
  onResend: () => void;
  onRevoke: () => void;
}

/** One invitation: email, role, expiry and inviter. */
export function InvitationRow({ invitation, isMine, isBusy, onResend, onRevoke }: InvitationRowProps) {
  const { email, role, status, expiresAt, createdBy } = invitation;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b py-2 sm:min-h-12">
      <div className="min-w-0 grow basis-full sm:basis-0">
        <p className="font-medium [overflow-wrap:anywhere]">{email}</p>
        <p className="truncate text-small text-muted">
          {status === 'open' ? 'Expires' : 'Expired'} <Timestamp at={expiresAt} />
          {createdBy ? <> · invited by {createdBy.name ?? createdBy.email}</> : null}
        </p>
      </div>
      <span className="w-28 text-muted max-sm:grow sm:px-2.5">{roleWords[role].label}</span>
      {isMine ? (
        <span className="flex gap-1">
          <Button variant="ghost" busy={isBusy} aria-label={`Resend invitation to ${email}`} onClick={onResend}>
            Resend
          </Button>
          <Button variant="ghost" aria-label={`Revoke invitation for ${email}…`} onClick={onRevoke}>
            Revoke…
          </Button>
        </span>
      ) : null}
    </li>
  );
}
