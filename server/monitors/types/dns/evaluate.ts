import type { Observation, Verdict } from '@/server/monitors/probing/observation';
import { down, UP } from '../verdict';
import type { DnsConfig } from './config';
import { recordsMiss } from './records';

export function evaluateDns({ recordType, expect }: DnsConfig, { evidence: records }: Observation<string[]>): Verdict {
  const miss = expect ? recordsMiss(recordType, records ?? [], expect) : null;
  return miss === null ? UP : down(miss);
}
