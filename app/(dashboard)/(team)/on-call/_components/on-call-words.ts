import type { EscalationPolicy, Layer } from '@/server/on-call/schema';

/** "Mon 23 Nov, 08:00" in a time zone. */
export function momentText(at: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
  return format.format(new Date(at));
}

/** "weekly, handoff 08:00" */
export function rotationText({ rotation: { unit, every }, handoverTime }: Layer): string {
  const once = { hours: 'hourly', days: 'daily', weeks: 'weekly' }[unit];
  const rhythm = every === 1 ? once : `every ${every} ${unit}`;
  return unit === 'hours' ? rhythm : `${rhythm}, handoff ${handoverTime}`;
}

/** "2 people, weekly, handoff 08:00" */
export function layerText(layer: Layer): string {
  const count = new Set(layer.userIds).size;
  return `${count === 1 ? '1 person' : `${count} people`}, ${rotationText(layer)}`;
}

/** "All monitors", "3 monitors, tag payments" */
export function policyScopeText({ monitorIds, tags }: Pick<EscalationPolicy, 'monitorIds' | 'tags'>): string {
  if (monitorIds === null) return 'All incidents';
  const named = monitorIds.length === 1 ? '1 monitor' : `${monitorIds.length} monitors`;
  return [...(monitorIds.length > 0 ? [named] : []), ...tags.map((tag) => `tag ${tag}`)].join(', ');
}

/** What the deletion of a policy means for incidents of its monitors. */
export function deletedPolicyText(policy: EscalationPolicy): string {
  const { activeEscalations: active, monitorIds } = policy;
  const next =
    monitorIds === null
      ? 'Incidents that no other policy covers will no longer escalate.'
      : `It covers ${policyScopeText(policy)}. New incidents use another matching policy or, without one, do not escalate.`;
  if (active === 0) return next;
  const running = active === 1 ? '1 active escalation continues' : `${active} active escalations continue`;
  return `${next} ${running} until acknowledged.`;
}

export const severityOptions = [
  { value: 'minor', label: 'All severities' },
  { value: 'warning', label: 'Warning and above' },
  { value: 'critical', label: 'Critical only' },
] as const;
