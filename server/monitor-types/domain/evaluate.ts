import type { Observation, Verdict } from '@/server/monitor-types/probing/observation';
import { endsSoon, inWords } from '../certificate-expiry';
import { down, type Rule, UP } from '../verdict';
import type { DomainConfig } from './definition';
import type { Registration } from './registries';

/** The states of a registration in which a domain does not work, or is about to be deleted (RFC 8056 §2). */
const LOST = ['client hold', 'server hold', 'pending delete', 'redemption period'];

/** Returns the status for which a domain does not work; undefined if it has none. */
export const lostStatus = ({ status }: Registration): string | undefined =>
  status.map((each) => each.toLowerCase()).find((each) => LOST.includes(each));

/** A domain without a date of expiry is up, because the probe has refused that unless the config turns warnings off. */
export function evaluateDomain({ warnDays }: DomainConfig, { evidence }: Observation<Registration>, at: Date): Verdict {
  if (!evidence?.isRegistered) return down('The domain is not registered');
  const lost = lostStatus(evidence);
  if (lost !== undefined) return down(`The registration of the domain has the status "${lost}"`);
  if (evidence.expiresAt === null) return UP;
  const expiresAt = new Date(evidence.expiresAt);
  const words = inWords(expiresAt, at, 'Domain');
  if (expiresAt <= at) return down(words);
  return endsSoon(expiresAt, warnDays, at) ? { status: 'degraded', error: words } : UP;
}

export function domainRules(config: DomainConfig, observation: Observation<Registration>, at: Date): Rule[] {
  const { evidence } = observation;
  if (!evidence) return [];
  const rule = config.warnDays === 0 ? 'domain is registered' : `domain is registered for ${config.warnDays} more days`;
  const expiry = evidence.expiresAt === null ? 'registered' : `until ${evidence.expiresAt.slice(0, 10)}`;
  const value = evidence.isRegistered ? [expiry, lostStatus(evidence)].filter(Boolean).join(', ') : 'not registered';
  return [{ rule, value, isMet: evaluateDomain(config, observation, at).status === 'up' }];
}
