import type { Observation, Verdict } from '@/server/monitor-types/probing/observation';
import type { HttpAssertion } from '@/server/monitor-types/schema';
import { assertionRules, firstUnmet } from '../http/assertions';
import { speedRules, speedVerdict } from '../http/evaluate';
import { down, type Rule } from '../verdict';
import type { SshConfig } from './definition';
import type { SshVersion } from './probe';

/** Returns the rules for the version, in the form of HTTP assertions about a body. */
function versionRules({ expect, pattern }: SshConfig): HttpAssertion[] {
  const rules: HttpAssertion[] = [];
  if (expect !== undefined) rules.push({ source: 'body', operator: 'contains', value: expect });
  if (pattern !== undefined) rules.push({ source: 'body', operator: 'matches', value: pattern });
  return rules;
}

const answerOf = ({ version }: SshVersion) => {
  return { statusCode: 0, headers: {}, body: Buffer.from(version), truncated: false, redirects: 0 };
};

export function evaluateSsh(config: SshConfig, { evidence, latencyMs }: Observation<SshVersion>): Verdict {
  if (!evidence) return down('The server did not send its version');
  const unmet = firstUnmet(versionRules(config), answerOf(evidence), latencyMs);
  if (unmet !== null) return down(unmet.replace('Expected body', 'Expected version'));
  return speedVerdict(config.degradedAfterMs, latencyMs);
}

export function sshRules(config: SshConfig, { evidence, latencyMs }: Observation<SshVersion>): Rule[] {
  if (!evidence) return [];
  const rules = assertionRules(versionRules(config), answerOf(evidence), latencyMs);
  return [
    ...rules.map((each) => ({ ...each, rule: each.rule.replace('body', 'version') })),
    ...speedRules(config.degradedAfterMs, latencyMs),
  ];
}
