import { describe, expect, it } from 'vitest';
import { changesSince } from '@/server/incidents/evidence/changes';
import { countedIn, type IncidentVerdict } from '@/server/incidents/evidence/write-verdicts';
import type { CheckAttempt, LastGoodCheck } from '@/server/incidents/schema';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
const timings = { dnsMs: 2, connectMs: 10, tlsMs: 20, firstByteMs: 60, downloadMs: 1 };
const certificate = {
  subject: 'shop.test',
  issuer: 'CA',
  validFrom: '2026-01-01T00:00:00.000Z',
  validTo: '2026-06-01T00:00:00.000Z',
  fingerprint: 'AA:BB',
};
const seen = { region: 'eu', statusCode: 200, timings, addresses: ['192.0.2.1'], latencyMs: 93, certificate };
const connection = (address: string) => ({ address, port: 443, error: null });
const good: LastGoodCheck = {
  ...seen,
  at: at(0).toISOString(),
  connections: [connection('192.0.2.1')],
  headers: [
    { name: 'server', value: 'nginx' },
    { name: 'date', value: 'Mon' },
  ],
};
const response = { line: 'HTTP/1.1 200 OK', headers: [{ name: 'server', value: 'nginx' }] };
const attempt = (changes: Partial<CheckAttempt> = {}): CheckAttempt => ({
  ...seen,
  at: at(60).toISOString(),
  status: 'down',
  error: 'x',
  rules: [],
  connections: [connection('192.0.2.1')],
  exchanges: [{ request: null, response, body: null }],
  ...changes,
});

describe('changesSince', () => {
  it('finds none between two equal checks, and none in headers that always differ', () => {
    expect(changesSince(good, attempt())).toEqual([]);
  });

  it('reports status code, addresses, certificate, headers and slower phases', () => {
    const headers = [
      { name: 'server', value: 'envoy' },
      { name: 'retry-after', value: '5' },
    ];
    const changes = changesSince(
      good,
      attempt({
        statusCode: 503,
        addresses: ['192.0.2.2'],
        connections: [connection('192.0.2.2')],
        certificate: { ...certificate, issuer: 'Other CA', fingerprint: 'CC:DD' },
        latencyMs: 400,
        timings: { ...timings, firstByteMs: 360 },
        exchanges: [{ request: null, response: { line: 'HTTP/1.1 503 Unavailable', headers }, body: null }],
      }),
    );
    expect(changes).toEqual([
      { subject: 'statusCode', name: null, before: '200', after: '503' },
      { subject: 'addresses', name: 'resolved', before: '192.0.2.1', after: '192.0.2.2' },
      { subject: 'addresses', name: 'connected', before: '192.0.2.1', after: '192.0.2.2' },
      {
        subject: 'certificate',
        name: null,
        before: 'shop.test, issued by CA, valid until 2026-06-01, SHA-256 AA:BB…',
        after: 'shop.test, issued by Other CA, valid until 2026-06-01, SHA-256 CC:DD…',
      },
      { subject: 'latency', name: null, before: '93 ms', after: '400 ms' },
      { subject: 'latency', name: 'first byte', before: '60 ms', after: '360 ms' },
      { subject: 'header', name: 'server', before: 'nginx', after: 'envoy' },
      { subject: 'header', name: 'retry-after', before: null, after: '5' },
    ]);
  });

  it('reports only the missing status if nothing answered', () => {
    const silent = attempt({
      statusCode: null,
      latencyMs: null,
      addresses: [],
      connections: [],
      certificate: null,
      exchanges: [],
    });
    expect(changesSince(good, silent)).toEqual([{ subject: 'statusCode', name: null, before: '200', after: null }]);
  });
});

describe('countedIn', () => {
  const verdict = (changes: Partial<IncidentVerdict> = {}): IncidentVerdict => ({
    incidentId: 'i',
    monitorId: 'm',
    type: 'downtime',
    kind: 'opened',
    ...changes,
  });
  const row = (region: string, changes: object) => ({
    region,
    status: 'up' as const,
    statusSince: at(0),
    failures: 0,
    recoveries: 0,
    turnedAt: null,
    latencyStreak: 0,
    latencyTurnedAt: null,
    ...changes,
  });
  const tried = (id: string, region: string, seconds: number, status: 'up' | 'down' | 'degraded' = 'down') => ({
    id,
    monitorId: 'm',
    row: region,
    at: at(seconds),
    status,
  });
  const ids = (given: { id: string }[]) => given.map(({ id }) => id);

  it('counts every failing check of the row that made a monitor down, and no earlier one', () => {
    const attempts = [tried('blip', '', 10), tried('first', '', 100), tried('second', '', 102)];
    expect(ids(countedIn(verdict(), attempts, [row('', { status: 'down', statusSince: at(100) })]))).toEqual([
      'first',
      'second',
    ]);
  });

  it('counts those of each region: of one that is down, and of one that is confirming, but not of one that recovered', () => {
    const rows = [
      row('', { status: 'down', statusSince: at(102) }),
      row('eu', { status: 'down', statusSince: at(100) }),
      row('us', { failures: 1, turnedAt: at(104) }),
      row('ap', {}),
    ];
    const attempts = [
      tried('ap', 'ap', 90),
      tried('eu 1', 'eu', 100),
      tried('eu 2', 'eu', 102),
      tried('us', 'us', 104),
    ];
    expect(ids(countedIn(verdict(), attempts, rows))).toEqual(['eu 1', 'eu 2', 'us']);
  });

  it('counts slow checks for degraded, and passing ones for the end', () => {
    const attempts = [tried('down', '', 90), tried('slow', '', 100, 'degraded'), tried('up', '', 200, 'up')];
    const slow = [row('', { status: 'degraded', statusSince: at(100) })];
    expect(ids(countedIn(verdict({ type: 'degraded' }), attempts, slow))).toEqual(['slow']);
    const up = [row('', { status: 'up', statusSince: at(200) })];
    expect(ids(countedIn(verdict({ kind: 'resolved' }), attempts, up))).toEqual(['up']);
  });
});
