import type { Observation, Verdict } from '@/server/monitor-types/probing/observation';
import { down, type Rule, UP } from '../verdict';
import type { PingConfig } from './definition';
import type { Packets } from './output';

export function evaluatePing({ maxLossPercent }: PingConfig, { evidence: packets }: Observation<Packets>): Verdict {
  if (!packets || packets.received === 0) return down(`None of ${packets?.sent ?? 0} packets was answered`);
  const lost = packets.sent - packets.received;
  if (lost * 100 <= maxLossPercent * packets.sent) return UP;
  return down(`${lost} of ${packets.sent} packets were lost, more than ${maxLossPercent} %`);
}

export function pingRules(config: PingConfig, observation: Observation<Packets>): Rule[] {
  const { evidence: packets } = observation;
  if (!packets) return [];
  const value = `${packets.sent - packets.received} of ${packets.sent} lost`;
  const isMet = evaluatePing(config, observation).status === 'up';
  return [{ rule: `packet loss ≤ ${config.maxLossPercent} %`, value, isMet }];
}
