import { isIP } from 'node:net';
import { isPublicAddress } from '@/server/platform/net';
import type { Plan } from './plan';

/** Names that are resolved inside (RFC 6761, 6762, 8375, and .internal). */
const INSIDE = /(^|\.)(localhost|local|internal|lan|home\.arpa)$/;

/** Whether the way to a monitor's target leads over the internet, as far as its address says. */
export function isOutside({ target, host }: Pick<Plan, 'target' | 'host'>): boolean {
  if (!target) return false;
  if (target.type === 'dns' && target.config.resolver === undefined) return true;
  const name = host
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (isIP(name)) return isPublicAddress(name);
  return name.includes('.') && !INSIDE.test(name);
}
