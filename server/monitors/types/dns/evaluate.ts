import type { Observation, Verdict } from '@/server/monitors/probing/observation';
import { down, UP } from '../verdict';
import type { DnsConfig } from './config';
import { recordsMiss } from './records';

export function evaluateDns({ recordType, expect }: DnsConfig, { records }: Observation): Verdict {
  const miss = expect ? recordsMiss(recordType, records ?? [], expect) : null;
  return miss === null ? UP : down(miss);
}
