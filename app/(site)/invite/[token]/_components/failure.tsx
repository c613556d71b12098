import Link from 'next/link';
import { GateTitle } from '@/app/_components/gate';
import { Button } from '@/app/_components/ui/button';

/** Why an invitation lets nobody in. */
export type FailureKind = 'unknown' | 'used' | 'revoked' | 'expired' | 'member' | 'full';

const words: Record<FailureKind, { title: string; text: (team: string) => string }> = {
  unknown: {
    title: 'There is no such invitation',
    text: () => 'Check that the whole link was copied. If a newer one was sent to you, open that.',
  },
  used: {
    title: 'This invitation has been used',
    text: (team) => `Each link lets in one person. If that was you, sign in; else ask ${team} for a new one.`,
  },
  revoked: {
    title: 'This invitation was withdrawn',
    text: (team) => `${team} took it back, or sent a newer link in its place. Look for that, or ask for one.`,
  },
  expired: {
    title: 'This invitation has expired',
    text: (team) => `A link is good for 7 days. Ask ${team} to send a new one.`,
  },
  member: {
    title: 'You are in this team already',
    text: (team) =>
      `${team} is among your teams; choose it at the top of the dashboard. The link stays good for someone else.`,
  },
  full: {
    title: 'This team is full',
    text: (team) => `The plan of ${team} has no room for another member. Once there is room, this link works again.`,
  },
};

export interface FailureProps {
  kind: FailureKind;
  /** Null where it is not known. */
  teamName: string | null;
  isSignedIn: boolean;
}

/** Says why the invitation cannot be accepted, what to do, and leads on. */
export function Failure({ kind, teamName, isSignedIn }: FailureProps) {
  const { title, text } = words[kind];
  return (
    <>
      <div className="grid gap-3" role="status">
        <GateTitle>{title}</GateTitle>
        <p className="text-body text-muted [overflow-wrap:anywhere]">{text(teamName ? `“${teamName}”` : 'the team')}</p>
      </div>
      <Button asChild size="large">
        {isSignedIn ? <Link href="/monitors">Go to your monitors</Link> : <Link href="/login">Sign in</Link>}
      </Button>
    </>
  );
}
