import { type Converted, toTimeout } from '../../convert/conversion';
import { hostAndPortOf } from '../../convert/http';
import { type Row, toRow, toRows } from '../../convert/rows';
import { cut, NotCarriedOver } from '../../draft';
import { toHttp } from './http';
import { assertKnown, isOn, literalOf, textOf, textsOf, toMs, trustOf } from './settings';

type Convert = (settings: Row, target: string, timeoutMs: number) => Converted;

const IP = ['preferred_ip_protocol', 'ip_protocol_fallback'];

/** Returns a note for a type that cannot choose the IP version, if the module chooses one. */
const ipNotes = (settings: Row) =>
  isOn(settings, 'ip_protocol_fallback', true) ? [] : ['Its IP version is not chosen: IPv4 and IPv6 are used.'];

function atPort(target: string): { host: string; port: number } {
  const { host, port } = hostAndPortOf(target);
  if (port === null) throw new NotCarriedOver('Its target has no port.');
  return { host, port };
}

/**
 * Converts `query_response` to the message that is sent, and the text that the response must contain.
 * @throws NotCarriedOver for longer exchanges and patterns
 */
function exchangeOf(tcp: Row, notes: string[]): { send?: string; expect?: string } {
  const steps = toRows(tcp.query_response);
  if (steps.length === 0) return {};
  for (const step of steps) assertKnown(step, ['send', 'expect']);
  const sent = steps.findIndex((step) => textOf(step, 'send') !== '');
  const expected = steps.findIndex((step) => textOf(step, 'expect') !== '');
  // A message after the expected answer does not affect the result, so it is left out.
  const isAfter =
    sent > expected && expected !== -1 && steps.slice(expected + 1).every((step) => textOf(step, 'expect') === '');
  const isBefore = sent < expected && steps.length === 2;
  if (steps.length > 2 || !(sent === -1 || expected === -1 || isAfter || isBefore)) {
    throw new NotCarriedOver('An exchange of several messages is not supported.');
  }
  const pattern = expected === -1 ? '' : textOf(steps[expected] ?? {}, 'expect');
  const expect = literalOf(pattern, true);
  if (expect === null) throw new NotCarriedOver(`The expected answer ${cut(pattern, 60)} is not plain text.`);
  if (expect === '') throw new NotCarriedOver('A message without an expected answer is not supported.');
  if (isAfter) notes.push('Nothing is sent after the answer.');
  return { ...(isBefore && { send: `${textOf(steps[sent] ?? {}, 'send')}\n` }), expect };
}

const toTcp: Convert = (tcp, target, timeoutMs) => {
  assertKnown(tcp, [...IP, 'query_response', 'tls', 'tls_config']);
  // Without TLS, its settings are not used.
  const tls = isOn(tcp, 'tls') ? toRow(tcp.tls_config) : {};
  assertKnown(tls, ['insecure_skip_verify', 'ca']);
  const notes = ipNotes(tcp);
  const config = {
    ...atPort(target),
    tls: isOn(tcp, 'tls'),
    ...trustOf(tls),
    ...exchangeOf(tcp, notes),
    timeoutMs: toTimeout(timeoutMs, notes),
  };
  return { type: 'tcp', config, notes };
};

const toPing: Convert = (icmp, target, timeoutMs) => {
  assertKnown(icmp, IP);
  const notes = ipNotes(icmp);
  const config = {
    host: hostAndPortOf(target).host,
    packetCount: 1,
    timeoutMs: Math.max(200, toTimeout(timeoutMs, notes)),
  };
  return { type: 'ping', config, notes };
};

const toDns: Convert = (dns, target, timeoutMs) => {
  assertKnown(dns, [
    ...IP,
    'query_name',
    'query_type',
    'query_class',
    'recursion_desired',
    'transport_protocol',
    'valid_rcodes',
  ]);
  const codes = textsOf(dns, 'valid_rcodes');
  if (codes.some((code) => code !== 'NOERROR'))
    throw new NotCarriedOver('Only the response code NOERROR is supported.');
  if (!isOn(dns, 'recursion_desired', true)) throw new NotCarriedOver('A query without recursion is not supported.');
  if (!['', 'udp'].includes(textOf(dns, 'transport_protocol')))
    throw new NotCarriedOver('DNS over TCP is not supported.');
  if (!['', 'IN'].includes(textOf(dns, 'query_class')))
    throw new NotCarriedOver('Only queries of the class IN are supported.');
  const recordType = textOf(dns, 'query_type') || 'ANY';
  if (recordType === 'ANY') throw new NotCarriedOver('A query of the type ANY is not supported. Set query_type.');
  const notes: string[] = [];
  const config = {
    host: textOf(dns, 'query_name').replace(/\.$/, ''),
    recordType,
    resolver: target,
    timeoutMs: toTimeout(timeoutMs, notes),
  };
  return { type: 'dns', config, notes: [...notes, 'At least one record must be there.'] };
};

const toGrpc: Convert = (grpc, target, timeoutMs) => {
  assertKnown(grpc, [...IP, 'service', 'tls', 'tls_config']);
  const tls = isOn(grpc, 'tls') ? toRow(grpc.tls_config) : {};
  assertKnown(tls, ['insecure_skip_verify', 'ca']);
  const notes = ipNotes(grpc);
  const config = {
    ...atPort(target),
    service: textOf(grpc, 'service'),
    tls: isOn(grpc, 'tls'),
    ...trustOf(tls),
    timeoutMs: toTimeout(timeoutMs, notes),
  };
  return { type: 'grpc', config, notes };
};

const probers: Record<string, Convert> = { http: toHttp, tcp: toTcp, icmp: toPing, dns: toDns, grpc: toGrpc };

/**
 * Converts a probe of a target by a module of the exporter.
 * @param scrapeMs the timeout of the scrape, which ends a probe too
 * @throws NotCarriedOver
 */
export function toMonitor(module: Row, target: string, scrapeMs: number): Converted {
  const prober = textOf(module, 'prober');
  const convert = Object.hasOwn(probers, prober) ? probers[prober] : undefined;
  if (!convert) throw new NotCarriedOver(`The prober ${cut(prober, 40)} is unknown.`);
  assertKnown(module, ['prober', 'timeout', prober]);
  return convert(toRow(module[prober]), target, Math.min(toMs(textOf(module, 'timeout'), scrapeMs), scrapeMs));
}
