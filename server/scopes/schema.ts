import { z } from 'zod';

/**
 * The monitors that a setting applies to: those with these IDs, and all current and future ones with one of the tags. With `monitorIds` null and no
 * tags, it applies to all monitors of the team.
 */
export interface MonitorScope {
  monitorIds: string[] | null;
  tags: string[];
}

export const ScopeMonitorIds = z.array(z.string().max(64)).max(1000);
export const ScopeTags = z.array(z.string().trim().toLowerCase().min(1).max(50)).max(20);

/** Returns the error message for a scope without monitors and tags, else null. */
export function emptyScopeError(monitorIds: string[] | null | undefined, tags: string[] | undefined): string | null {
  const isEmpty = monitorIds?.length === 0 && !tags?.length;
  return isEmpty ? 'Provide at least one monitor or tag, or null for all.' : null;
}
