import type { Observation, Verdict } from '@/server/monitor-types/probing/observation';
import { down, type Rule, UP } from '../verdict';
import type { SmtpConfig } from './definition';
import { type SmtpReply, summary } from './reply';

export function evaluateSmtp({ expectedCode }: SmtpConfig, { evidence: reply }: Observation<SmtpReply>): Verdict {
  if (!reply) return down('The server did not reply');
  return reply.code === expectedCode ? UP : down(`Expected code ${expectedCode}, got ${summary(reply)}`);
}

export function smtpRules({ expectedCode }: SmtpConfig, { evidence: reply }: Observation<SmtpReply>): Rule[] {
  if (!reply) return [];
  return [{ rule: `reply code ${expectedCode}`, value: String(reply.code), isMet: reply.code === expectedCode }];
}
