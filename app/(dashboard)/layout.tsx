import { cookies } from 'next/headers';
import { AppFrame } from '@/app/_components/shell/app-frame';
import { railCookie } from '@/app/_components/shell/rail';
import { TeamChoice } from '@/app/_components/shell/team-choice';
import { Notice } from '@/app/_components/ui/notice';
import { PageHead } from '@/app/_components/ui/page';
import { LiveProvider } from '@/app/_trpc/live';
import { pageCaller, requirePerson } from '@/app/_trpc/server';

/** The number beside Incidents; where it cannot be read the browser asks again, and the page is shown all the same. */
async function countOpenIncidents(): Promise<number | undefined> {
  const caller = await pageCaller();
  return caller.incidents.openCount().catch(() => undefined);
}

/** The dashboard, for signed-in people only. */
export default async function DashboardLayout({ children }: { children: React.ReactNode }) {
  const { user, teamId, teams } = await requirePerson();
  const collapsed = (await cookies()).get(railCookie)?.value === '1';
  const openIncidents = teamId ? await countOpenIncidents() : undefined;
  const frame = { user, isAdmin: user.isAdmin, collapsed, openIncidents, teamId, teams };
  if (!teamId) {
    return (
      <AppFrame {...frame} openIncidents={0}>
        <PageHead title={teams.length > 0 ? 'Choose a team' : 'No team'} />
        {teams.length > 0 ? (
          <div className="grid gap-4">
            <Notice state="unknown" title="You are not in that team any more">
              You left it or were taken out of it. Your other teams are as they were.
            </Notice>
            <TeamChoice teams={teams} />
          </div>
        ) : (
          <Notice state="unknown" title="You are in no team">
            Ask for an invitation to one, and open the link in it. Monitors and incidents belong to a team.
          </Notice>
        )}
      </AppFrame>
    );
  }
  return (
    <LiveProvider>
      <AppFrame {...frame}>{children}</AppFrame>
    </LiveProvider>
  );
}
