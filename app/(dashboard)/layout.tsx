import { cookies } from 'next/headers';
import { AppFrame } from '@/app/_components/shell/app-frame';
import { railCookie } from '@/app/_components/shell/rail';
import { TimeZoneProvider } from '@/app/_components/time-zone';
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
  const frame = (
    <AppFrame
      user={user}
      isAdmin={user.isAdmin}
      collapsed={collapsed}
      openIncidents={openIncidents}
      teamId={teamId}
      teams={teams}
    >
      {children}
    </AppFrame>
  );
  return (
    <TimeZoneProvider value={user.timeZone}>{teamId ? <LiveProvider>{frame}</LiveProvider> : frame}</TimeZoneProvider>
  );
}
