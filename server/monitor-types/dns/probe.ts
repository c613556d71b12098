import {
  Attempt,
  type ObserveOptions,
  OwnFailure,
  type Seen,
  TargetFailure,
} from '@/server/monitor-types/probing/attempt';
import type { Observation } from '@/server/monitor-types/probing/observation';
import { type DnsConfig, parseResolver } from '@/server/monitor-types/schema';
import {
  assertAllowedHost,
  assertPublicAnswer,
  assertPublicName,
  DnsFailure,
  type DnsRecords,
  NameServers,
  NameServersError,
  NetworkTimeoutError,
  names,
} from '@/server/platform/net';
import { questionName, reverseName, toLine } from './record-lines';

/** The number of attempts, because a datagram may be lost. Their waits of one, two and four times the first add up to the timeout. */
const ROUNDS = 3;
const WAITS = 1 + 2 + 4;

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Returns the name server's error, or its missing response, as a failure with a sentence (RFC 1035 §4.1.1, RFC 2308). */
function failureOf(error: unknown, { host, recordType, resolver, timeoutMs }: DnsConfig): Error {
  const server = resolver === undefined ? 'The name servers of this machine' : `The name server ${resolver}`;
  switch (codeOf(error)) {
    case 'ENOTFOUND':
      return new TargetFailure(`The name ${host} does not exist (NXDOMAIN)`);
    case 'ENODATA':
      return new TargetFailure(`${host} has no ${recordType} record`);
    case 'ESERVFAIL':
      return new TargetFailure(`${server} failed to resolve ${host} (SERVFAIL)`);
    case 'EREFUSED':
      return new TargetFailure(`${server} refused the query (REFUSED)`);
    case 'ENOTIMP':
      return new TargetFailure(`${server} does not support this query (NOTIMP)`);
    case 'EFORMERR':
      return new TargetFailure(`${server} rejected the query as malformed (FORMERR)`);
    case 'EBADRESP':
      return new TargetFailure(`${server} sent an invalid response`);
    case 'EBADNAME':
      return new TargetFailure(`${host} is not a valid DNS name`);
    case 'ECONNREFUSED':
      return new TargetFailure(`${server} cannot be reached`);
    case 'ETIMEOUT':
    case 'ETIMEDOUT':
      return new TargetFailure(`${server} did not answer for ${host} within ${timeoutMs / 1000} s`);
    default:
      return error instanceof Error ? error : new OwnFailure('The DNS query could not be sent');
  }
}

type Question = Parameters<NameServers['ask']>[0];

/** Queries the monitor's own resolver. */
function askNamed(resolver: string, question: Question, timeoutMs: number, attempt: Attempt): Promise<DnsRecords> {
  assertAllowedHost(parseResolver(resolver)?.address ?? resolver);
  const servers = new NameServers({ servers: [resolver], timeoutMs: timeoutMs / WAITS, attempts: ROUNDS });
  return servers.ask(question, attempt.signal, attempt.asker);
}

/**
 * Queries this machine's name servers.
 * @throws NameServersError if they are down, because that says nothing about the name; InternalNameError for a name of the internal network
 */
async function askOwn(question: Question, attempt: Attempt): Promise<DnsRecords> {
  assertPublicName(question.name);
  const since = performance.now();
  try {
    const answer = await names.ask(question, attempt.asker);
    assertPublicAnswer(answer);
    return answer;
  } catch (error) {
    if (error instanceof DnsFailure) assertPublicAnswer(error);
    const isLate = attempt.signal.reason instanceof NetworkTimeoutError;
    if (attempt.signal.aborted && !isLate) throw error;
    const failure = isLate ? new DnsFailure('ETIMEOUT') : error;
    if (await names.isOutage(failure, since)) throw new NameServersError({ cause: error });
    throw failure;
  }
}

async function ask(config: DnsConfig, attempt: Attempt): Promise<Seen<string[]>> {
  const { host, recordType: type, resolver, timeoutMs } = config;
  const question = { name: questionName(type === 'PTR' ? reverseName(host) : host), type };
  const exchange = attempt.exchange(`${type} ${question.name}${resolver === undefined ? '' : ` @${resolver}`}`);
  const from = attempt.now();
  try {
    const { records } = resolver
      ? await askNamed(resolver, question, timeoutMs, attempt)
      : await askOwn(question, attempt);
    const lines = records.map(toLine);
    exchange.body = lines;
    return { evidence: lines };
  } catch (error) {
    throw failureOf(error, config);
  } finally {
    attempt.spent('dnsMs', from);
  }
}

/**
 * Sends one query to a name server (RFC 1035), over UDP and, if the answer is truncated, TCP. `evaluate` decides whether the records are the expected
 * ones. The outcome is `unknown` while this machine's own name servers are down. Rejects only if the signal aborts.
 */
export async function observeDns(config: DnsConfig, options: ObserveOptions): Promise<Observation<string[]>> {
  const attempt = new Attempt(config.timeoutMs, options);
  return attempt.observe(() => ask(config, attempt));
}
