import { LinkTabs } from '@/app/_components/ui/tabs';

const tabs = [
  { href: '/on-call/schedules', label: 'Schedules' },
  { href: '/on-call/escalation-policies', label: 'Escalation policies' },
];

/** The tabs of the on-call pages. */
export default function OnCallLayout({ children }: { children: React.ReactNode }) {
  return (
    <>
      <LinkTabs label="On-call" tabs={tabs} />
      {children}
    </>
  );
}
