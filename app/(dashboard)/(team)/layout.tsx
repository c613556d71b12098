import Link from 'next/link';
import { CreateTeamButton } from '@/app/_components/shell/create-team-button';
import { TeamChoice } from '@/app/_components/shell/team-choice';
import { Button } from '@/app/_components/ui/button';
import { Empty } from '@/app/_components/ui/empty';
import { Notice } from '@/app/_components/ui/notice';
import { PageHead } from '@/app/_components/ui/page';
import { requirePerson } from '@/app/_trpc/server';

/** The pages of a team. Whoever is in none is told what they can do. */
export default async function TeamLayout({ children }: { children: React.ReactNode }) {
  const { user, teamId, teams } = await requirePerson();
  if (teamId) return children;
  if (teams.length > 0) {
    return (
      <>
        <PageHead title="Choose a team" />
        <div className="grid gap-4">
          <Notice state="unknown" title="You are not in that team any more">
            You left it or were taken out of it. Your other teams are as they were.
          </Notice>
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
      <PageHead title="You are in no team" />
      <Empty
        title="Create a team, or ask for an invitation"
        action={
          <div className="flex flex-wrap gap-2">
            <CreateTeamButton />
            <Button asChild>
              <Link href="/settings/account">Your account</Link>
            </Button>
            {user.isAdmin ? (
              <Button asChild>
                <Link href="/instance">Instance pages</Link>
              </Button>
            ) : null}
          </div>
        }
      >
        Monitors and incidents belong to a team. To join one that is there, ask someone in it to invite {user.email},
        and open the link they send you.
      </Empty>
    </>
  );
}
