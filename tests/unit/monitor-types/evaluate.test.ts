import { describe, expect, it } from 'vitest';
import { evaluate, rulesOf } from '@/server/monitor-types/evaluate';
import type { Observation } from '@/server/monitor-types/probing/observation';
import {
  type CheckedConfig,
  DnsConfig,
  HttpConfig,
  PingConfig,
  TcpConfig,
  TlsConfig,
} from '@/server/monitor-types/schema';
import { answer, observation } from '@/tests/unit/checks/observations';

function http(changes: Record<string, unknown> = {}): CheckedConfig {
  return { type: 'http', config: HttpConfig.parse({ url: 'http://example.test/', ...changes }) };
}

const now = new Date('2026-11-20T12:00:00Z');
const tcp: CheckedConfig = { type: 'tcp', config: TcpConfig.parse({ host: 'example.test', port: 25 }) };
const status = (statusCode: number) => observation({ evidence: answer({ statusCode }) });

describe('evaluate http', () => {
  it.each([
    ['a status in the range', http(), status(204), 'up', null],
    ['a status outside the range', http(), status(503), 'down', 'Expected status 200-299, got 503'],
    ['a listed status', http({ expectedStatus: ['301', '500-599'] }), status(301), 'up', null],
    ['the end of a range', http({ expectedStatus: ['301', '500-599'] }), status(599), 'up', null],
    [
      'a status without a range',
      http({ expectedStatus: ['301', '500-599'] }),
      status(302),
      'down',
      'Expected status 301, 500-599, got 302',
    ],
    [
      'a status assertion instead of the range',
      http({ assertions: [{ source: 'status', operator: 'equals', value: 503 }] }),
      status(503),
      'up',
      null,
    ],
    [
      'another assertion besides the range',
      http({ assertions: [{ source: 'latency', operator: 'lessThan', value: 1000 }] }),
      status(503),
      'down',
      'Expected status 200-299, got 503',
    ],
    [
      'an assertion that does not hold',
      http({ assertions: [{ source: 'body', operator: 'exists' }] }),
      status(200),
      'down',
      'Expected body to exist',
    ],
    ['clearly fast', http({ degradedAfterMs: 47 }), status(200), 'up', null],
    ['slower', http({ degradedAfterMs: 41 }), status(200), 'degraded', 'Responded in 42 ms, more than 41 ms'],
    ['slow and wrong', http({ degradedAfterMs: 41 }), status(500), 'down', 'Expected status 200-299, got 500'],
    [
      'no connection',
      http(),
      observation({ outcome: 'failed', error: 'Connection refused', evidence: null }),
      'down',
      'Connection refused',
    ],
    [
      'a check that could not be made',
      http(),
      observation({ outcome: 'unknown', error: 'The network is unreachable', evidence: null }),
      'unknown',
      'The network is unreachable',
    ],
  ] as const)('%s', (_name, target, seen, verdict, error) => {
    expect(evaluate(target, seen, now)).toEqual({ status: verdict, error });
  });

  it.each([46, 42])('warns when a response is almost too slow: 42 ms of the %i ms allowed', (degradedAfterMs) => {
    const verdict = evaluate(http({ degradedAfterMs }), status(200), now);
    expect(verdict).toEqual({ status: 'up', error: null, isNearlySlow: true });
  });
});

describe('evaluate tcp', () => {
  it('is up after a connection and down after a failure', () => {
    expect(evaluate(tcp, observation({ evidence: null }), now)).toEqual({ status: 'up', error: null });
    const refused = observation({ outcome: 'failed', error: 'Connection refused', evidence: null });
    expect(evaluate(tcp, refused, now)).toEqual({ status: 'down', error: 'Connection refused' });
  });
});

describe('evaluate ping', () => {
  const ping = (changes: Record<string, unknown> = {}): CheckedConfig => {
    return { type: 'ping', config: PingConfig.parse({ host: 'example.test', ...changes }) };
  };
  it.each([
    ['none lost', ping(), { sent: 3, received: 3 }, 'up', null],
    ['a round trip of 42 ms, as long as allowed', ping({ maxRoundTripMs: 42 }), { sent: 3, received: 3 }, 'up', null],
    [
      'a round trip that is too long',
      ping({ maxRoundTripMs: 41 }),
      { sent: 3, received: 3 },
      'down',
      'The mean round trip took 42 ms, more than 41 ms',
    ],
    ['one lost', ping(), { sent: 3, received: 2 }, 'down', '1 of 3 packets were lost, more than 0 %'],
    ['as many lost as allowed', ping({ maxLossPercent: 50 }), { sent: 4, received: 2 }, 'up', null],
    [
      'more',
      ping({ maxLossPercent: 49 }),
      { sent: 4, received: 2 },
      'down',
      '2 of 4 packets were lost, more than 49 %',
    ],
    [
      'a third, as a whole percentage',
      ping({ maxLossPercent: 33 }),
      { sent: 3, received: 2 },
      'down',
      expect.anything(),
    ],
    ['all lost', ping({ maxLossPercent: 99 }), { sent: 3, received: 0 }, 'down', 'None of 3 packets was answered'],
  ] as const)('%s', (_name, target, packets, status, error) => {
    expect(evaluate(target, observation({ evidence: packets }), now)).toEqual({ status, error });
  });
});

describe('evaluate dns', () => {
  const dns = (recordType: string, match?: string, ...values: string[]): CheckedConfig => {
    const expected = match ? { expect: { match, values } } : {};
    return { type: 'dns', config: DnsConfig.parse({ host: 'example.test', recordType, ...expected }) };
  };
  const two = ['192.0.2.1', '192.0.2.2'];
  it.each([
    ['any answer', dns('A'), two, null],
    ['one of several', dns('A', 'any', '192.0.2.9', '192.0.2.2'), two, null],
    [
      'none of them',
      dns('A', 'any', '192.0.2.9'),
      two,
      'Expected A to be one of "192.0.2.9", got "192.0.2.1", "192.0.2.2"',
    ],
    ['all of them', dns('A', 'all', '192.0.2.2'), two, null],
    [
      'not all',
      dns('A', 'all', '192.0.2.2', '192.0.2.3'),
      two,
      'Expected A to include "192.0.2.3", got "192.0.2.1", "192.0.2.2"',
    ],
    ['exactly these, in any order', dns('A', 'exact', '192.0.2.2', '192.0.2.1'), two, null],
    ['one too many', dns('A', 'exact', '192.0.2.2'), two, 'A holds "192.0.2.1", which was not expected'],
    ['an address in another notation', dns('AAAA', 'exact', '2001:DB8:0:0::1'), ['2001:db8::1'], null],
    ['a name with a trailing dot', dns('NS', 'exact', 'NS1.Example.test.'), ['ns1.example.test'], null],
    ['a mail server', dns('MX', 'exact', '10  mail.example.test.'), ['10 mail.example.test'], null],
    ['a mail server of any priority', dns('MX', 'exact', 'mail.example.test'), ['10 mail.example.test'], null],
    [
      'a mail server of another priority',
      dns('MX', 'any', '20 mail.example.test'),
      ['10 mail.example.test'],
      expect.stringContaining('got "10 mail.example.test"'),
    ],
    ['text in quotes', dns('TXT', 'any', '"v=spf1 -all"'), ['v=spf1 -all'], null],
    ['text in another case', dns('TXT', 'any', 'V=SPF1 -ALL'), ['v=spf1 -all'], expect.stringContaining('TXT')],
    ['an issuer in quotes', dns('CAA', 'all', '0 issue "ca.example.test"'), ['0 issue ca.example.test'], null],
  ] as const)('%s', (_name, target, records, error) => {
    const status = error === null ? 'up' : 'down';
    expect(evaluate(target, observation({ evidence: [...records] }), now)).toEqual({ status, error });
  });
});

describe('evaluate tls', () => {
  const until = (validTo: string): Observation => {
    const certificate = { subject: 'a', issuer: 'b', validFrom: new Date('2026-01-01'), validTo: new Date(validTo) };
    return observation({ evidence: null, certificate });
  };
  const tls = (warnDays: number): CheckedConfig => {
    return { type: 'tls', config: TlsConfig.parse({ host: 'example.test', warnDays }) };
  };
  it.each([
    ['valid for a long time', tls(14), '2027-03-01', 'up', null],
    ['valid for exactly the warning period', tls(14), '2026-12-04T12:00:00Z', 'up', null],
    [
      'a second less than the warning period',
      tls(14),
      '2026-12-04T11:59:59Z',
      'degraded',
      'Certificate expires in 13 days, on 2026-12-04',
    ],
    ['a day', tls(14), '2026-11-21T12:00:00Z', 'degraded', 'Certificate expires in 1 day, on 2026-11-21'],
    ['hours', tls(14), '2026-11-20T18:00:00Z', 'degraded', 'Certificate expires in less than a day, on 2026-11-20'],
    ['warnings turned off', tls(0), '2026-11-20T18:00:00Z', 'up', null],
  ] as const)('%s', (_name, target, validTo, status, error) => {
    expect(evaluate(target, until(validTo), now)).toEqual({ status, error });
  });
});

describe('evaluate of a monitor that is upside down', () => {
  const must = 'The check succeeded, but it is expected to fail';
  const refused = observation({ outcome: 'failed', error: 'Connection refused', evidence: null });

  it.each([
    ['no connection', refused, 'up', null, [{ value: 'Connection refused', isMet: true }]],
    ['an unmet rule', status(503), 'up', null, [{ value: 'Expected status 200-299, got 503', isMet: true }]],
    ['a response', status(200), 'down', must, [{ value: 'it succeeded', isMet: false }]],
    [
      'a check that could not be made',
      observation({ outcome: 'unknown', error: 'No route', evidence: null }),
      'unknown',
      'No route',
      [],
    ],
  ] as const)('%s', (_name, seen, verdict, error, rules) => {
    const target = http({ upsideDown: true });
    expect(evaluate(target, seen, now)).toEqual({ status: verdict, error });
    expect(rulesOf(target, seen, now)).toEqual(rules.map((rule) => ({ rule: 'the check fails', ...rule })));
  });

  it('is down for a slow response, which is a success too', () => {
    expect(evaluate(http({ upsideDown: true, degradedAfterMs: 1 }), status(200), now).status).toBe('down');
  });

  it('is unknown if a rule for the body could not be decided', () => {
    const contains = { source: 'body', operator: 'contains', value: 'ERROR' } as const;
    const target = http({ upsideDown: true, assertions: [contains] });
    const seen = status(200);
    const long = { ...seen, evidence: { ...(seen.evidence as object), truncated: true } } as typeof seen;
    expect(evaluate(target, seen, now).status).toBe('up');
    expect(evaluate(target, long, now)).toMatchObject({
      status: 'unknown',
      error: 'The body is longer than 1 MiB, so "body contains" could not be decided',
    });
    const failing = { ...long, evidence: { ...(long.evidence as object), statusCode: 503 } } as typeof seen;
    expect(evaluate(target, failing, now).status).toBe('up');
  });

  it('is judged as usual with upsideDown false', () => {
    expect(evaluate(http({ upsideDown: false }), status(200), now).status).toBe('up');
  });
});
