import { describe, expect, it } from 'vitest';
import { type CertificateState, watchCertificate } from '@/server/checks/verdict/certificate';
import type { Certificate } from '@/server/monitors/probing/observation';

const at = (text: string) => new Date(`2026-11-20T${text}Z`);

const certificate = (validTo: string): Certificate => ({
  subject: 'shop.test',
  issuer: 'Authority',
  validFrom: new Date('2026-01-01'),
  validTo: new Date(validTo),
});

const NONE: CertificateState = { certificate: null, certificateWarned: false };
const OLD = certificate('2026-11-25T00:00:00Z');
const NEW = certificate('2027-11-25T00:00:00Z');

const see = (
  state: CertificateState,
  seen: Certificate | null,
  time: string,
  warnDays = 14,
  outcome: 'ok' | 'failed' = 'ok',
) => watchCertificate(state, { certificate: seen, outcome }, warnDays, at(time));

describe('certificate tracking', () => {
  it('stores the certificate with the time since which it is seen', () => {
    const first = see(NONE, NEW, '12:00:00');
    expect(first).toEqual({
      state: {
        certificate: {
          subject: 'shop.test',
          issuer: 'Authority',
          validFrom: '2026-01-01T00:00:00.000Z',
          validTo: '2027-11-25T00:00:00.000Z',
          since: '2026-11-20T12:00:00.000Z',
        },
        certificateWarned: false,
      },
      change: null,
    });
    expect(see(first.state, NEW, '12:05:00').state.certificate).toBe(first.state.certificate);
  });

  it('warns once of an expiring certificate', () => {
    const first = see(NONE, OLD, '12:00:00');
    expect(first.change).toEqual({
      kind: 'warn',
      cause: 'Certificate expires in 4 days, on 2026-11-25. Subject: shop.test; issuer: Authority',
    });
    expect(see(first.state, OLD, '12:01:00')).toEqual({ state: first.state, change: null });
  });

  it('does not warn if warnings are off', () => {
    expect(see(NONE, OLD, '12:00:00', 0)).toMatchObject({ change: null, state: { certificateWarned: false } });
    expect(see(NONE, OLD, '12:00:00', 4).change).toBeNull();
  });

  it('clears the warning once a replacement has been seen for a while', () => {
    const warned = see(NONE, OLD, '12:00:00').state;
    const renewed = see(warned, NEW, '12:01:00');
    expect(renewed).toMatchObject({ change: null, state: { certificateWarned: true } });
    expect(see(renewed.state, NEW, '12:10:59').change).toBeNull();
    const settled = see(renewed.state, NEW, '12:11:00');
    expect(settled).toMatchObject({ change: { kind: 'clear' }, state: { certificateWarned: false } });
    expect(see(settled.state, NEW, '12:12:00').change).toBeNull();
  });

  it('warns once for one of several servers, whichever answers', () => {
    let state = NONE;
    const changes = [];
    for (let minute = 0; minute < 60; minute += 1) {
      const time = `12:${String(minute).padStart(2, '0')}:00`;
      const next = see(state, minute % 3 === 0 ? OLD : NEW, time);
      state = next.state;
      changes.push(next.change?.kind ?? null);
    }
    expect(changes.filter((change) => change !== null)).toEqual(['warn']);
  });

  it('keeps the certificate after a check without a handshake, and drops it after one that needs none', () => {
    const warned = see(NONE, OLD, '12:00:00').state;
    expect(see(warned, null, '12:01:00', 14, 'failed')).toEqual({ state: warned, change: null });
    expect(see(warned, null, '12:01:00')).toEqual({ state: NONE, change: { kind: 'clear' } });
    expect(see(NONE, null, '12:01:00')).toEqual({ state: NONE, change: null });
  });
});
