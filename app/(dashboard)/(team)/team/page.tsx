import type { Metadata } from 'next';
import { requirePerson } from '@/app/_trpc/server';
import { TeamView } from './_components/team-view';

export const metadata: Metadata = { title: 'Team' };

export default async function TeamPage() {
  const { user, teamId, role, teams } = await requirePerson();
  const team = teams.find(({ id }) => id === teamId);
  // Without a team, the layout shows another page.
  if (!team || !role) return null;
  return <TeamView me={{ id: user.id, role }} team={team} otherTeams={teams.filter(({ id }) => id !== team.id)} />;
}
