import Link from 'next/link';
import { PageHead } from '@/app/_components/page';
import { CreateTeamButton } from '@/app/_components/shell/create-team-button';
import { TeamChoice } from '@/app/_components/shell/team-choice';
import { Alert } from '@/app/_components/ui/alert';
import { Button } from '@/app/_components/ui/button';
import { Empty } from '@/app/_components/ui/empty';
import { requirePerson } from '@/app/_trpc/server';

/** The layout of a team's pages. Shows users without a team how to get one. */
export default async function TeamLayout({ children }: { children: React.ReactNode }) {
  const { user, teamId, teams } = await requirePerson();
  if (teamId) return children;
  if (teams.length > 0) {
    return (
      <>
        <PageHead title="Choose a team" />
        <div className="grid gap-4">
          <Alert state="unknown" title="You are no longer a member of that team">
            You left the team or were removed. Your other teams are not affected.
          </Alert>
          <TeamChoice teams={teams} />
          <div>
            <CreateTeamButton />
          </div>
        </div>
      </>
    );
  }
  return (
    <>
      <PageHead title="You are not in a team" />
      <Empty
        title="Create a team or ask for an invitation"
        action={
          <div className="flex flex-wrap gap-2">
            <CreateTeamButton />
            <Button asChild>
              <Link href="/settings/account">Your account</Link>
            </Button>
            {user.isAdmin ? (
              <Button asChild>
                <Link href="/instance">Instance administration</Link>
              </Button>
            ) : null}
          </div>
        }
      >
        Monitors and incidents belong to a team. To join an existing team, ask a member to invite {user.email}, then
        open the invitation link.
      </Empty>
    </>
  );
}
