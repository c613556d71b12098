import type { Metadata } from 'next';
import { requirePerson } from '@/app/_trpc/server';
import { TeamView } from './_components/team-view';

export const metadata: Metadata = { title: 'Team' };

/** Who is in the team, and who is invited. */
export default async function TeamPage() {
  const { user, teamId, role, teams } = await requirePerson();
  const team = teams.find(({ id }) => id === teamId);
  // Without a team the layout says so instead of showing the page.
  if (!team || !role) return null;
  return <TeamView me={{ id: user.id, role }} team={team} otherTeams={teams.filter(({ id }) => id !== team.id)} />;
}
