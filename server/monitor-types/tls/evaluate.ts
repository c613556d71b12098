import type { Observation, Verdict } from '@/server/monitor-types/probing/observation';
import { endsSoon, inWords } from '../certificate-expiry';
import { down, type Rule, UP } from '../verdict';
import type { TlsConfig } from './definition';

export function evaluateTls({ warnDays }: TlsConfig, { certificate }: Observation, at: Date): Verdict {
  if (!certificate) return down('The server presented no certificate');
  if (certificate === 'unreadable') return down('The certificate has invalid dates');
  const { validTo } = certificate;
  return endsSoon(validTo, warnDays, at) ? { status: 'degraded', error: inWords(validTo, at) } : UP;
}

export function tlsRules({ warnDays }: TlsConfig, { certificate }: Observation, at: Date): Rule[] {
  if (!certificate || certificate === 'unreadable') return [];
  const { validTo } = certificate;
  const rule = warnDays === 0 ? 'certificate is valid' : `certificate is valid for ${warnDays} more days`;
  return [{ rule, value: `until ${validTo.toISOString().slice(0, 10)}`, isMet: !endsSoon(validTo, warnDays, at) }];
}
