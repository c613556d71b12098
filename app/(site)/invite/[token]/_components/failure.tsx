import Link from 'next/link';
import { CenteredTitle } from '@/app/_components/centered-layout';
import { Button } from '@/app/_components/ui/button';

/** Why an invitation cannot be accepted. */
export type FailureKind = 'unknown' | 'used' | 'revoked' | 'expired' | 'member' | 'full';

const words: Record<FailureKind, { title: string; text: (team: string) => string }> = {
  unknown: {
    title: 'Invitation not found',
    text: () => 'Check that you copied the complete link. If you received a newer invitation, use that link.',
  },
  used: {
    title: 'This invitation has already been used',
    text: (team) => `Each link works once. If you used it, sign in. Otherwise ask ${team} for a new invitation.`,
  },
  revoked: {
    title: 'This invitation was revoked',
    text: (team) =>
      `${team} revoked it or replaced it with a newer link. Check your inbox or ask for a new invitation.`,
  },
  expired: {
    title: 'This invitation has expired',
    text: (team) => `Invitation links are valid for 7 days. Ask ${team} for a new one.`,
  },
  member: {
    title: 'You are already a member of this team',
    text: (team) => `Select ${team} in the team menu at the top of the dashboard. Someone else can still use the link.`,
  },
  full: {
    title: 'This team is full',
    text: (team) => `The plan of ${team} does not allow more members. The link works again once a place is free.`,
  },
};

export interface FailureProps {
  kind: FailureKind;
  /** Null if unknown. */
  teamName: string | null;
  isSignedIn: boolean;
}

/** Explains why the invitation cannot be accepted and what to do next. */
export function Failure({ kind, teamName, isSignedIn }: FailureProps) {
  const { title, text } = words[kind];
  return (
    <>
      <div className="grid gap-3" role="status">
        <CenteredTitle>{title}</CenteredTitle>
        <p className="text-body text-muted [overflow-wrap:anywhere]">{text(teamName ? `“${teamName}”` : 'the team')}</p>
      </div>
      <Button asChild size="large">
        {isSignedIn ? <Link href="/monitors">Go to your monitors</Link> : <Link href="/login">Sign in</Link>}
      </Button>
    </>
  );
}
