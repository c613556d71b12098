import { z } from 'zod';
import { type MonitorScope, whyNobody } from '@/server/scopes/schema';

/** The fields of a form that chooses monitors: all, or these and those with one of these tags. */
export const scopeShape = { isAll: z.boolean(), monitorIds: z.array(z.string()), tags: z.array(z.string()) };
export interface ScopeFields {
  isAll: boolean;
  monitorIds: string[];
  tags: string[];
}

export const NOBODY = 'Select at least one monitor or tag.';

/** Whether no monitor is chosen. */
export function isNobody({ isAll, monitorIds, tags }: ScopeFields): boolean {
  return !isAll && whyNobody(monitorIds, tags) !== null;
}

/** Adds the error of a choice without monitors. */
export function checkScope(fields: ScopeFields, ctx: z.core.$RefinementCtx): void {
  if (isNobody(fields)) ctx.addIssue({ code: 'custom', path: ['monitorIds'], message: NOBODY });
}

/** The fields as the API takes them. */
export function toScope({ isAll, monitorIds, tags }: ScopeFields): MonitorScope {
  return isAll ? { monitorIds: null, tags: [] } : { monitorIds, tags };
}

/** The initial values: those of a scope, or `isAll`. */
export function toScopeFields(scope: MonitorScope | undefined, isAll: boolean): ScopeFields {
  return {
    isAll: scope ? scope.monitorIds === null : isAll,
    monitorIds: scope?.monitorIds ?? [],
    tags: scope?.tags ?? [],
  };
}
