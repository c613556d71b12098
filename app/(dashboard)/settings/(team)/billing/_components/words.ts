import type { Billing, Limits, Usage } from '@/server/billing/schema';

/** What a plan is called. */
export const planWords: Record<Billing['plan'], string> = {
  free: 'Free',
  pro: 'Pro',
  business: 'Business',
  self_hosted: 'Self-hosted',
};

/** What is counted against a plan, in the order it is shown. */
export const counted: readonly { name: keyof Usage; label: string }[] = [
  { name: 'monitors', label: 'Monitors' },
  { name: 'members', label: 'Members and open invitations' },
  { name: 'statusPages', label: 'Status pages' },
  { name: 'apiKeys', label: 'API keys' },
];

/** What there is more of than the plan allows: after a change to a smaller plan. */
export function overPlan(usage: Usage, limits: Limits): string[] {
  return counted.flatMap(({ name, label }) => {
    const cap = limits[name];
    return cap !== null && usage[name] > cap ? [`${label.toLowerCase()}: ${usage[name]} of ${cap}`] : [];
  });
}
