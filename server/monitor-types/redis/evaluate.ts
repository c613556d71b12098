import type { Observation, Verdict } from '@/server/monitor-types/probing/observation';
import { down, type Rule, UP } from '../verdict';
import type { RedisConfig } from './definition';
import type { RedisRole } from './probe';

/** The server's own words for its role. */
const ROLES: Record<RedisConfig['role'], string | null> = { any: null, primary: 'master', replica: 'slave' };
const shown = (role: string) => ({ master: 'primary', slave: 'replica' })[role] ?? role.slice(0, 80);

export function evaluateRedis({ role }: RedisConfig, { evidence }: Observation<RedisRole>): Verdict {
  if (role === 'any' || evidence?.role === ROLES[role]) return UP;
  return down(`Expected the role ${role}, got ${shown(evidence?.role ?? 'none')}`);
}

export function redisRules({ role }: RedisConfig, { evidence }: Observation<RedisRole>): Rule[] {
  if (role === 'any' || !evidence?.role) return [];
  return [{ rule: `role ${role}`, value: shown(evidence.role), isMet: evidence.role === ROLES[role] }];
}
