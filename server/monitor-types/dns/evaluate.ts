import type { Observation, Verdict } from '@/server/monitor-types/probing/observation';
import { down, type Rule, UP } from '../verdict';
import type { DnsConfig } from './definition';
import { recordsMiss } from './records';

export function evaluateDns({ recordType, expect }: DnsConfig, { evidence: records }: Observation<string[]>): Verdict {
  const miss = expect ? recordsMiss(recordType, records ?? [], expect) : null;
  return miss === null ? UP : down(miss);
}

export function dnsRules({ recordType, expect }: DnsConfig, { evidence: records }: Observation<string[]>): Rule[] {
  if (!expect || !records) return [];
  const rule = `${recordType} records contain ${expect.match === 'exact' ? 'exactly' : expect.match} of ${expect.values.join(', ')}`;
  return [{ rule, value: records.join(', ') || null, isMet: recordsMiss(recordType, records, expect) === null }];
}
