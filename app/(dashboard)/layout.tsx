import type { Metadata } from 'next';
import { cookies } from 'next/headers';
import { DraftOwnerProvider } from '@/app/_components/forms/draft-owner';
import { InstanceProvider } from '@/app/_components/instance';
import { AppFrame } from '@/app/_components/shell/app-frame';
import { keysCookie } from '@/app/_components/shell/keys-cookie';
import { railCookie } from '@/app/_components/shell/rail';
import { TimeZoneProvider } from '@/app/_components/time/time-zone';
import { LiveProvider } from '@/app/_trpc/live';
import { pageCaller, requirePerson } from '@/app/_trpc/server';
import { instanceFacts } from '@/server/api/instance-facts';

/** The manifest makes the dashboard installable as an app. Status pages have none. */
export const metadata: Metadata = { manifest: '/manifest.webmanifest' };

/** The number of unresolved incidents for the navigation. If loading fails, the browser loads it again. */
async function countUnresolved(): Promise<number | undefined> {
  const caller = await pageCaller();
  return caller.incidents.unresolvedCount().catch(() => undefined);
}

/** The dashboard layout; requires a session. */
export default async function DashboardLayout({ children }: { children: React.ReactNode }) {
  const { user, teamId, teams, role } = await requirePerson();
  const choices = await cookies();
  const collapsed = choices.get(railCookie)?.value === '1';
  const keysOn = choices.get(keysCookie)?.value !== '0';
  const unresolvedIncidents = teamId ? await countUnresolved() : undefined;
  const frame = (
    <AppFrame
      user={user}
      isAdmin={user.isAdmin}
      canWrite={role !== 'viewer'}
      collapsed={collapsed}
      keysOn={keysOn}
      unresolvedIncidents={unresolvedIncidents}
      teamId={teamId}
      teams={teams}
    >
      {children}
    </AppFrame>
  );
  return (
    <InstanceProvider {...instanceFacts()}>
      <DraftOwnerProvider value={user.id}>
        <TimeZoneProvider value={user.timeZone}>
          {teamId ? <LiveProvider>{frame}</LiveProvider> : frame}
        </TimeZoneProvider>
      </DraftOwnerProvider>
    </InstanceProvider>
  );
}
