import type { Observation, Verdict } from '@/server/monitor-types/probing/observation';
import { down, type Rule, UP } from '../verdict';
import type { PingConfig } from './definition';
import type { Packets } from './output';

const isLost = ({ maxLossPercent }: PingConfig, { sent, received }: Packets) =>
  received === 0 || (sent - received) * 100 > maxLossPercent * sent;

const rounded = (ms: number) => `${Math.round(ms * 10) / 10} ms`;

export function evaluatePing(config: PingConfig, { evidence: packets, latencyMs }: Observation<Packets>): Verdict {
  if (!packets || packets.received === 0) return down(`None of ${packets?.sent ?? 0} packets was answered`);
  const { maxLossPercent, maxRoundTripMs } = config;
  const { sent, received } = packets;
  if (isLost(config, packets)) {
    return down(`${sent - received} of ${sent} packets were lost, more than ${maxLossPercent} %`);
  }
  if (maxRoundTripMs === undefined || latencyMs <= maxRoundTripMs) return UP;
  return down(`The mean round trip took ${rounded(latencyMs)}, more than ${maxRoundTripMs} ms`);
}

export function pingRules(config: PingConfig, { evidence: packets, latencyMs }: Observation<Packets>): Rule[] {
  if (!packets) return [];
  const { maxLossPercent, maxRoundTripMs } = config;
  const value = `${packets.sent - packets.received} of ${packets.sent} lost`;
  const loss = { rule: `packet loss ≤ ${maxLossPercent} %`, value, isMet: !isLost(config, packets) };
  if (maxRoundTripMs === undefined || packets.received === 0) return [loss];
  const time = { value: rounded(latencyMs), isMet: latencyMs <= maxRoundTripMs };
  return [loss, { rule: `mean round trip ≤ ${maxRoundTripMs} ms`, ...time }];
}
