import type { Metadata } from 'next';
import { Section } from '@/app/_components/page';
import { requirePerson } from '@/app/_trpc/server';
import { EmailForm } from './_components/email-form';
import { PasswordForm } from './_components/password-form';
import { ProfileForm } from './_components/profile-form';
import { Sessions } from './_components/sessions';
import { MonthlyReportSetting, WeeklySummarySetting } from './_components/summary-settings';

export const metadata: Metadata = { title: 'Account' };

export default async function AccountPage() {
  const { user, teamId, teams } = await requirePerson();
  const team = teams.find(({ id }) => id === teamId);
  return (
    <div className="max-w-[480px]">
      <Section title="Profile">
        <ProfileForm name={user.name} timeZone={user.timeZone} />
      </Section>
      <Section title="Email address">
        <EmailForm email={user.email} />
      </Section>
      <Section title="Password">
        <PasswordForm email={user.email} />
      </Section>
      {team && (
        <>
          <Section title="Weekly summary">
            <WeeklySummarySetting teamName={team.name} />
          </Section>
          <Section title="Monthly report">
            <MonthlyReportSetting teamName={team.name} />
          </Section>
        </>
      )}
      <Section title="Sessions">
        <Sessions />
      </Section>
    </div>
  );
}
