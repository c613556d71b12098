import { PageHead } from '@/app/_components/page';
import { LinkTabs } from '@/app/_components/ui/tabs';
import { pageCaller, requirePerson } from '@/app/_trpc/server';

/** Whether billing is configured. If that cannot be loaded, the billing page shows the error. */
async function sellsPlans(): Promise<boolean> {
  const caller = await pageCaller();
  return caller.billing.get().then(
    ({ offers }) => offers.length > 0,
    () => false,
  );
}

/** The settings of the person and of the team, as tabs. */
export default async function SettingsLayout({ children }: { children: React.ReactNode }) {
  const { role, teamId } = await requirePerson();
  const seesLog = role === 'owner' || role === 'admin';
  const account = { href: '/settings/account', label: 'Account' };
  const tabs = teamId
    ? [
        { ...account, group: 'You' },
        { href: '/settings/contact-methods', label: 'Contact methods' },
        { href: '/settings/team', label: 'General', group: 'Team' },
        { href: '/settings/api-keys', label: 'API keys' },
        { href: '/settings/agents', label: 'Agents' },
        { href: '/settings/billing', label: (await sellsPlans()) ? 'Billing' : 'Usage' },
        ...(seesLog ? [{ href: '/settings/audit-log', label: 'Audit log' }] : []),
      ]
    : [account];
  return (
    <>
      <PageHead title="Settings" />
      <LinkTabs label="Settings" tabs={tabs} />
      {children}
    </>
  );
}
