import { Resolver } from 'node:dns/promises';
import { type DnsConfig, parseResolver } from '@/server/monitors/schema';
import { assertAllowedHost } from '@/server/platform/net';
import type { Observation } from '../types';
import { Attempt, OwnFailure, type Seen, TargetFailure } from './attempt';
import { queryRecords } from './dns-records';

/** A lost datagram is asked for again; the resolver waits once, then twice, then four times its first wait. */
const TRIES = 3;
const WAITS = 1 + 2 + 4;

function resolverOf({ resolver, timeoutMs }: DnsConfig): Resolver {
  const made = new Resolver({ timeout: Math.ceil(timeoutMs / WAITS), tries: TRIES });
  const named = resolver === undefined ? null : parseResolver(resolver);
  if (named) {
    assertAllowedHost(named.address);
    const host = named.address.includes(':') ? `[${named.address}]` : named.address;
    made.setServers([`${host}:${named.port}`]);
  }
  return made;
}

/** What the name server said, or that it said nothing (RFC 1035 §4.1.1, RFC 2308), in words. */
function failureOf(code: string, { host, recordType, resolver, timeoutMs }: DnsConfig): Error {
  const server = resolver === undefined ? 'The name servers of this machine' : `The name server ${resolver}`;
  // Without a server of its own, a check that reaches none says nothing about the name.
  const unreached = (says: string) => (resolver === undefined ? new OwnFailure(says) : new TargetFailure(says));
  switch (code) {
    case 'ENOTFOUND':
      return new TargetFailure(`The name ${host} does not exist (NXDOMAIN)`);
    case 'ENODATA':
      return new TargetFailure(`${host} has no ${recordType} record`);
    case 'ESERVFAIL':
      return new TargetFailure(`${server} could not find out about ${host} (SERVFAIL)`);
    case 'EREFUSED':
      return unreached(`${server} refused to answer (REFUSED)`);
    case 'ENOTIMP':
      return unreached(`${server} cannot answer such a question (NOTIMP)`);
    case 'EFORMERR':
      return unreached(`${server} did not understand the question (FORMERR)`);
    case 'EBADRESP':
    case 'EBADSTR':
      return unreached(`${server} gave an answer that makes no sense`);
    case 'EBADNAME':
      return new TargetFailure(`${host} is not a name that can be asked for`);
    case 'ECONNREFUSED':
      return unreached(`${server} cannot be reached`);
    case 'ETIMEOUT':
    case 'ECANCELLED':
      return unreached(`${server} gave no answer within ${timeoutMs / 1000} s`);
    default:
      return new OwnFailure(`The question could not be asked (${code})`);
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : 'no code');

async function ask(config: DnsConfig, attempt: Attempt): Promise<Seen> {
  const resolver = resolverOf(config);
  const cancel = () => resolver.cancel();
  attempt.signal.addEventListener('abort', cancel);
  const from = performance.now();
  try {
    const records = await queryRecords(resolver, config.recordType, config.host);
    if (records.length === 0) throw Object.assign(new Error('no data'), { code: 'ENODATA' });
    return { records };
  } catch (error) {
    throw failureOf(codeOf(error), config);
  } finally {
    attempt.spent('dnsMs', from);
    attempt.signal.removeEventListener('abort', cancel);
  }
}

/**
 * One question to a name server (RFC 1035), over UDP and, where the answer is too long for that, TCP. Whether the records are
 * the expected ones is decided by `evaluate`. `unknown` where this machine's own name servers do not answer. Rejects only where `signal` aborts.
 */
export async function observeDns(config: DnsConfig, signal: AbortSignal): Promise<Observation> {
  const attempt = new Attempt(config.timeoutMs, signal);
  return attempt.observe(() => ask(config, attempt));
}
