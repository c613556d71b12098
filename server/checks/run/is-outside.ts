import { definitionOf } from '@/server/monitor-types/definitions';
import { isInternalName } from '@/server/platform/net';
import type { Plan } from '../schedule/plan';

/** Whether a check of the monitor crosses the internet, as far as its address tells. */
export function isOutside({ target, host }: Pick<Plan, 'target' | 'host'>): boolean {
  if (!target) return false;
  // The instance's own name servers answer about names of the internet.
  if (definitionOf(target.type).lookups?.(target.config).length) return true;
  return !isInternalName(host.replace(/^\[|\]$/g, ''));
}
