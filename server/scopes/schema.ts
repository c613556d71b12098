import { z } from 'zod';

/** Which monitors something is for: these and, also in future, those with one of these tags; null without tags: all of the team. */
export interface MonitorScope {
  monitorIds: string[] | null;
  tags: string[];
}

export const ScopeMonitorIds = z.array(z.string().max(64)).max(1000);
export const ScopeTags = z.array(z.string().trim().toLowerCase().min(1).max(50)).max(20);

/** The error for a scope without monitors, or null. */
export function whyNobody(monitorIds: string[] | null | undefined, tags: string[] | undefined): string | null {
  const isEmpty = monitorIds?.length === 0 && !tags?.length;
  return isEmpty ? 'Provide at least one monitor or tag, or null for all.' : null;
}
