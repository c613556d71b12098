import type { PeerCertificate } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { toStorable, toStorableVerdict } from '@/server/checks/record/storable';
import { watchCertificate } from '@/server/checks/verdict/certificate';
import { LONGEST_MS } from '@/server/history/monitor/to-check';
import { evaluate } from '@/server/monitor-types/evaluate';
import { readCertificate } from '@/server/monitor-types/probing/dial';
import { TlsConfig } from '@/server/monitor-types/schema';
import { observation } from '../observations';

const peer = (fields: Record<string, unknown>) =>
  ({
    subject: { CN: 'shop' },
    issuer: { O: 'CA' },
    valid_from: 'Jan  1 00:00:00 2020 GMT',
    valid_to: 'Feb  9 23:59:58 2033 GMT',
    ...fields,
  }) as unknown as PeerCertificate;

describe('readCertificate', () => {
  it('reads names and dates', () => {
    expect(readCertificate(peer({}))).toEqual({
      subject: 'shop',
      issuer: 'CA',
      validFrom: new Date('2020-01-01T00:00:00Z'),
      validTo: new Date('2033-02-09T23:59:58Z'),
    });
  });

  it.each([
    ['Jan  1 00:00:00 50 GMT', '0050-01-01T00:00:00.000Z'],
    ['Jan  1 00:00:00 0050 GMT', '0050-01-01T00:00:00.000Z'],
    ['Jan  1 00:00:00.123 2033 GMT', '2033-01-01T00:00:00.000Z'],
    ['Dec 31 23:59:59 9999 GMT', '9999-12-31T23:59:59.000Z'],
  ])('parses %j as %s', (text, iso) => {
    expect(readCertificate(peer({ valid_to: text }))).toMatchObject({ validTo: new Date(iso) });
  });

  it.each([
    'Bad time value',
    'Foo  1 00:00:00 2033 GMT',
    'Jan  1 00:00:00 0 GMT',
    'Jan  1 00:00:00 20333 GMT',
    '2033-01-01',
    '1',
  ])('reports a certificate with the date %j as unreadable', (text) => {
    expect(readCertificate(peer({ valid_to: text }))).toBe('unreadable');
    expect(readCertificate(peer({ valid_from: text }))).toBe('unreadable');
  });

  it('returns none if the server presented none', () => {
    expect([readCertificate(null), readCertificate({} as PeerCertificate)]).toEqual([null, null]);
  });
});

describe('an unreadable certificate', () => {
  it('leaves the stored certificate unchanged', () => {
    const state = { certificate: null, certificateWarned: true };
    expect(watchCertificate(state, { certificate: 'unreadable', outcome: 'ok' }, 14, new Date(), 60_000)).toEqual({
      state,
      change: null,
    });
  });

  it('puts a TLS monitor down', () => {
    const config = TlsConfig.parse({ host: 'example.test' });
    const seen = observation({ certificate: 'unreadable' });
    expect(evaluate({ type: 'tls', config }, seen, new Date())).toEqual({
      status: 'down',
      error: 'The certificate has invalid dates',
    });
  });
});

describe('toStorable', () => {
  it('clamps numbers', () => {
    const timings = {
      dnsMs: Number.NaN,
      connectMs: -1,
      tlsMs: 1e300,
      firstByteMs: Number.POSITIVE_INFINITY,
      downloadMs: 2.5,
    };
    const stored = toStorable(observation({ latencyMs: 1e12, timings, statusCode: Number.NaN }));
    expect(stored).toMatchObject({
      latencyMs: LONGEST_MS,
      timings: { dnsMs: null, connectMs: 0, tlsMs: LONGEST_MS, firstByteMs: LONGEST_MS, downloadMs: 2.5 },
      statusCode: null,
    });
  });

  it.each(['validFrom', 'validTo'])('reports a certificate with the invalid date %s as unreadable', (field) => {
    const dates = { validFrom: new Date(0), validTo: new Date(1), [field]: new Date(Number.NaN) };
    const certificate = { subject: 'a', issuer: 'b', ...dates };
    expect(toStorable(observation({ certificate })).certificate).toBe('unreadable');
  });

  it('strips control characters from names and causes, and leaves the input of assertions unchanged', () => {
    const certificate = { subject: 'a\u0000b', issuer: 'x'.repeat(900), validFrom: new Date(0), validTo: new Date(1) };
    const evidence = {
      statusCode: 200,
      headers: { x: '\u0000' },
      body: Buffer.from('\u0000'),
      truncated: false,
      redirects: 0,
    };
    const stored = toStorable(observation({ certificate, evidence, error: 'a\u001b[2J\r\nb' }));
    expect(stored).toMatchObject({ error: 'a b', evidence, certificate: { subject: 'a b' } });
    expect(stored.certificate).toHaveProperty('issuer', `${'x'.repeat(200)}…`);
    expect(toStorableVerdict({ status: 'down', error: 'got \u0000' })).toEqual({ status: 'down', error: 'got  ' });
  });
});
