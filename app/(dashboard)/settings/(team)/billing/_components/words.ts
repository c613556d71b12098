import type { Billing, Limits, Usage } from '@/server/billing/schema';

export const planWords: Record<Billing['plan'], string> = {
  free: 'Free',
  pro: 'Pro',
  business: 'Business',
  self_hosted: 'Self-hosted',
};

/** The limited resources, in display order. */
export const counted: readonly { name: keyof Usage; label: string }[] = [
  { name: 'monitors', label: 'Monitors' },
  { name: 'members', label: 'Members and pending invitations' },
  { name: 'statusPages', label: 'Status pages' },
  { name: 'schedules', label: 'On-call schedules' },
  { name: 'escalationPolicies', label: 'Escalation policies' },
  { name: 'apiKeys', label: 'API keys' },
];

/** The resources over the plan's limits, as after a downgrade. */
export function overPlan(usage: Usage, limits: Limits): string[] {
  return counted.flatMap(({ name, label }) => {
    const cap = limits[name];
    return cap !== null && usage[name] > cap ? [`${label.toLowerCase()}: ${usage[name]} of ${cap}`] : [];
  });
}
