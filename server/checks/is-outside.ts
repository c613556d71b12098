import { isInternalName } from '@/server/platform/net';
import type { Plan } from './plan';

/** Whether the way to a monitor's target leads over the internet, as far as its address says. */
export function isOutside({ target, host }: Pick<Plan, 'target' | 'host'>): boolean {
  if (!target) return false;
  if (target.type === 'dns' && target.config.resolver === undefined) return true;
  return !isInternalName(host.replace(/^\[|\]$/g, ''));
}
