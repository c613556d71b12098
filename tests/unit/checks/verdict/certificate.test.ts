import { describe, expect, it } from 'vitest';
import { type CertificateState, watchCertificate } from '@/server/checks/verdict/certificate';
import type { Certificate } from '@/server/monitor-types/probing/observation';
import { random } from '@/tests/support/random';

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
) => watchCertificate(state, { certificate: seen, outcome }, warnDays, at(time), 60_000);

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

  it('says in how many of the last checks it was seen', () => {
    const known = see(see(NONE, NEW, '12:00:00').state, NEW, '12:10:00').state;
    expect(see(known, OLD, '12:12:00').change).toEqual({
      kind: 'warn',
      cause:
        'Certificate expires in 4 days, on 2026-11-25. Subject: shop.test; issuer: Authority. Seen in 1 of the last 13 checks',
    });
    expect(see(known, OLD, '18:00:00').change).toMatchObject({ cause: expect.stringContaining('1 of the last 30') });
  });

  /** Checks at an interval: which certificate each sees. @returns what was told, by the number of the check */
  function told(each: Certificate[], from: CertificateState = NONE, everyMs = 60_000): [number, string][] {
    let state = from;
    return each.flatMap((seen, index) => {
      const time = new Date(Date.parse('2026-11-20T00:00:00Z') + index * everyMs);
      const next = watchCertificate(state, { certificate: seen, outcome: 'ok' }, 14, time, everyMs);
      state = next.state;
      return next.change ? [[index, next.change.kind] as [number, string]] : [];
    });
  }
  const times = (count: number, seen: Certificate) => Array.from({ length: count }, () => seen);
  const OTHER = certificate('2027-12-31T00:00:00Z');

  it.each([
    ['5 s', 5_000],
    ['60 s', 60_000],
    ['1 h', 3_600_000],
  ])('warns once a day for one server of ten at an interval of %s', (_name, everyMs) => {
    const next = random(7);
    const checks = Array.from({ length: 86_400_000 / everyMs + 200 }, () => (next() < 0.1 ? OLD : NEW));
    expect(told([...times(2, NEW), ...checks], NONE, everyMs).map(([, kind]) => kind)).toEqual(['warn']);
  });

  it('clears the warning once a hundred checks saw another certificate', () => {
    const mixed = [...times(20, NEW), OLD, ...times(9, NEW), OLD];
    expect(told([...mixed, ...times(99, NEW)])).toEqual([[20, 'warn']]);
    expect(told([...mixed, ...times(100, NEW)])).toEqual([
      [20, 'warn'],
      [130, 'clear'],
    ]);
  });

  it('clears the warning where the other servers have different certificates', () => {
    const others = Array.from({ length: 150 }, (_, index) => (index % 2 === 0 ? NEW : OTHER));
    expect(told([NEW, OTHER, NEW, OLD, ...others])).toEqual([
      [3, 'warn'],
      [103, 'clear'],
    ]);
  });

  it('clears the warning ten minutes after the replacement of one that was served alone', () => {
    expect(told([...times(200, OLD), ...times(20, NEW)])).toEqual([
      [0, 'warn'],
      [210, 'clear'],
    ]);
  });

  it('stays the same where nothing is new, and forgets the other one after a hundred checks', () => {
    const alone = see(NONE, NEW, '00:00:00').state;
    expect(see(alone, NEW, '00:01:00').state.certificate).toBe(alone.certificate);
    let { state } = see(alone, OTHER, '00:02:00');
    expect(state.certificate?.mix?.recent).toBe('001');
    for (let minute = 3; minute < 120; minute += 1) {
      const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00`;
      state = see(state, OTHER, time).state;
    }
    expect(state.certificate?.mix).toBeUndefined();
  });

  it('keeps ten certificates and a hundred checks at most', () => {
    let state = NONE;
    for (let index = 0; index < 500; index += 1) {
      const day = String(1 + (index % 15)).padStart(2, '0');
      state = see(state, certificate(`2027-11-${day}T00:00:00Z`), '12:00:00').state;
    }
    expect(state.certificate?.mix?.all).toHaveLength(10);
    expect(state.certificate?.mix?.recent.length).toBeLessThanOrEqual(100);
  });

  it('goes on from what was stored before checks were counted', () => {
    const { certificate: kept } = see(NONE, NEW, '10:00:00').state;
    const stored = { certificate: kept, certificateWarned: true };
    expect(see(stored, NEW, '12:00:00').change).toEqual({ kind: 'clear' });
    expect(see(stored, OLD, '10:05:00')).toMatchObject({ change: null, state: { certificateWarned: true } });
  });

  it('keeps the certificate after a check without a handshake, and drops it after one that needs none', () => {
    const warned = see(NONE, OLD, '12:00:00').state;
    expect(see(warned, null, '12:01:00', 14, 'failed')).toEqual({ state: warned, change: null });
    expect(see(warned, null, '12:01:00')).toEqual({ state: NONE, change: { kind: 'clear' } });
    expect(see(NONE, null, '12:01:00')).toEqual({ state: NONE, change: null });
  });
});
