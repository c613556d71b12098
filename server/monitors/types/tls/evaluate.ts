import type { Observation, Verdict } from '@/server/monitors/probing/observation';
import { endsSoon, inWords } from '../certificate-expiry';
import { down, UP } from '../verdict';
import type { TlsConfig } from './config';

export function evaluateTls({ warnDays }: TlsConfig, { certificate }: Observation, at: Date): Verdict {
  if (!certificate) return down('The server presented no certificate');
  if (certificate === 'unreadable') return down('The certificate has invalid dates');
  const { validTo } = certificate;
  return endsSoon(validTo, warnDays, at) ? { status: 'degraded', error: inWords(validTo, at) } : UP;
}
