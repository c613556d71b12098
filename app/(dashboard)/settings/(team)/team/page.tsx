import type { Metadata } from 'next';
import { Section } from '@/app/_components/page';
import { pageCaller, requirePerson } from '@/app/_trpc/server';
import { DeleteTeamForm } from './_components/delete-team-form';
import { RenameTeamForm } from './_components/rename-team-form';

export const metadata: Metadata = { title: 'Team settings' };

/** Whether deleting the team cancels a subscription; false if that cannot be loaded. */
async function isSubscribed(): Promise<boolean> {
  const caller = await pageCaller();
  return caller.billing.get().then(
    ({ subscribed }) => subscribed,
    () => false,
  );
}

/** Team name and team deletion. */
export default async function TeamSettingsPage() {
  const { teamId, role, teams } = await requirePerson();
  const team = teams.find(({ id }) => id === teamId);
  // Without a team, the layout shows another page.
  if (!team || !role) return null;
  const next = teams.find(({ id }) => id !== team.id) ?? null;
  return (
    <div className="max-w-[480px]">
      <Section title="Team name">
        <RenameTeamForm name={team.name} mayRename={role === 'owner' || role === 'admin'} />
      </Section>
      {role === 'owner' ? (
        <Section title="Delete team">
          <DeleteTeamForm team={team} subscribed={await isSubscribed()} next={next} />
        </Section>
      ) : null}
    </div>
  );
}
