'use client';

import { useState } from 'react';
import { CenteredTitle } from '@/app/_components/centered-layout';
import { aRole, roleWords } from '@/app/_components/roles';
import { Timestamp } from '@/app/_components/time/time';
import type { ApiError } from '@/app/_trpc/errors';
import type { InvitationView } from '@/server/teams/schema';
import { Failure, type FailureKind } from './failure';
import { JoinForm } from './join-form';
import { NewAccountForm } from './new-account-form';

export interface InvitationProps {
  token: string;
  invitation: InvitationView;
  /** The signed-in user. */
  me: { name: string | null; email: string } | null;
}

const failures: Record<string, FailureKind> = { ALREADY_MEMBER: 'member', MEMBER_LIMIT_REACHED: 'full' };

/** An open invitation: team, role, and the form to accept it. */
export function Invitation({ token, invitation, me }: InvitationProps) {
  const [failure, setFailure] = useState<FailureKind | null>(null);
  const { teamName, role, email, expiresAt } = invitation;
  /** Handles errors that end the flow. Returns false for those that the form shows. */
  const onRefused = ({ code }: ApiError): boolean => {
    // The reloaded page shows the current state of the invitation.
    if (code === 'INVITATION_USED' || code === 'INVITATION_INVALID') window.location.reload();
    else setFailure(failures[code] ?? null);
    return code.startsWith('INVITATION_') || code in failures;
  };
  if (failure) return <Failure kind={failure} teamName={teamName} isSignedIn={me !== null} />;
  return (
    <>
      <div className="grid gap-3">
        <CenteredTitle>
          <span className="[overflow-wrap:anywhere]">Join {teamName}</span>
        </CenteredTitle>
        <p className="text-body text-muted [overflow-wrap:anywhere]">
          {email} is invited as {aRole(role)}. This role {roleWords[role].means}. The link can be used once and expires{' '}
          <Timestamp at={expiresAt} />.
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
