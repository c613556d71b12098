'use client';

import { useState } from 'react';
import { GateTitle } from '@/app/_components/gate';
import { aRole, roleWords } from '@/app/_components/roles';
import { Stamp } from '@/app/_components/ui/since';
import type { ApiError } from '@/app/_trpc/errors';
import type { InvitationView } from '@/server/teams/schema';
import { Failure, type FailureKind } from './failure';
import { JoinForm } from './join-form';
import { NewAccountForm } from './new-account-form';

export interface InvitationProps {
  token: string;
  invitation: InvitationView;
  /** Who is signed in. */
  me: { name: string | null; email: string } | null;
}

const failures: Record<string, FailureKind> = { ALREADY_MEMBER: 'member', MEMBER_LIMIT_REACHED: 'full' };

/** An open invitation: to what, as what, and the way in. */
export function Invitation({ token, invitation, me }: InvitationProps) {
  const [failure, setFailure] = useState<FailureKind | null>(null);
  const { teamName, role, email, expiresAt } = invitation;
  /** Takes over what ends the matter; what it answers false to is shown by the form. */
  const onRefused = ({ code }: ApiError): boolean => {
    // What has become of the invitation since the page was made, the page itself says best.
    if (code === 'INVITATION_USED' || code === 'INVITATION_INVALID') window.location.reload();
    else setFailure(failures[code] ?? null);
    return code.startsWith('INVITATION_') || code in failures;
  };
  if (failure) return <Failure kind={failure} teamName={teamName} isSignedIn={me !== null} />;
  return (
    <>
      <div className="grid gap-3">
        <GateTitle>
          <span className="[overflow-wrap:anywhere]">Join {teamName}</span>
        </GateTitle>
        <p className="text-body text-muted [overflow-wrap:anywhere]">
          {email} is invited as {aRole(role)}, who {roleWords[role].means}. The link works once, until{' '}
          <Stamp at={expiresAt} />.
        </p>
      </div>
      {me ? (
        <JoinForm token={token} teamName={teamName} me={me} onRefused={onRefused} />
      ) : (
        <NewAccountForm token={token} email={email} onRefused={onRefused} />
      )}
    </>
  );
}
