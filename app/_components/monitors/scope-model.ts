import { z } from 'zod';
import { emptyScopeError, type MonitorScope } from '@/server/scopes/schema';

/** The fields of a form that selects monitors: all, or some by name and tag. */
export const scopeShape = { isAll: z.boolean(), monitorIds: z.array(z.string()), tags: z.array(z.string()) };
export interface ScopeFields {
  isAll: boolean;
  monitorIds: string[];
  tags: string[];
}

export const NOBODY = 'Select at least one monitor or tag.';

/** Whether no monitor and no tag is selected. */
export function isNobody({ isAll, monitorIds, tags }: ScopeFields): boolean {
  return !isAll && emptyScopeError(monitorIds, tags) !== null;
}

/** Adds the error for an empty selection. */
export function checkScope(fields: ScopeFields, ctx: z.core.$RefinementCtx): void {
  if (isNobody(fields)) ctx.addIssue({ code: 'custom', path: ['monitorIds'], message: NOBODY });
}

/** Converts the fields to the input of the API. */
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
