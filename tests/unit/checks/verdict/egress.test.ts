import { describe, expect, it } from 'vitest';
import { hasFailed, isOutside, isUsualFailure } from '@/server/checks/run/egress';
import type { Plan } from '@/server/checks/schedule/plan';
import {
  afterEgressCheck,
  afterFinding,
  afterSleep,
  blame,
  type EgressState,
  initialEgress,
  Recent,
} from '@/server/checks/verdict/egress';
import { definitions, HttpConfig } from '@/server/monitor-types/schema';

const NOW = 1_000_000;
const egress = (changes: Partial<EgressState> = {}): EgressState => ({
  workedAt: NOW - 60_000,
  lostSince: null,
  graceUntil: 0,
  answers: 0,
  ...changes,
});
const silent = { isAnswering: false, isMostlyPassing: false };

describe('cause of a failing check', () => {
  it.each([
    ['the egress check succeeds', egress(), { ...silent, isAnswering: true }, 'target'],
    ['the egress check fails and succeeded not long ago', egress(), silent, 'self'],
    ['the egress check fails, but other targets answer', egress(), { ...silent, isMostlyPassing: true }, 'target'],
    ['the egress check never succeeded', egress({ workedAt: null }), silent, 'target'],
    ['the worker has just started', egress({ workedAt: null, graceUntil: NOW + 5_000 }), silent, 'self'],
    [
      'the egress check failed for long before anything else did',
      egress({ workedAt: NOW - 200_000 }),
      silent,
      'target',
    ],
    ['the network has been down for long', egress({ workedAt: 1, lostSince: NOW - 800_000 }), silent, 'self'],
    ['the network is back', egress({ workedAt: 1, lostSince: 2 }), { ...silent, isAnswering: true }, 'target'],
    ['the worker slept for an hour', afterSleep(egress({ workedAt: NOW - 3_600_000 }), NOW - 4_000), silent, 'self'],
    [
      'it never succeeded before the sleep either',
      afterSleep(egress({ workedAt: null }), NOW - 200_000),
      silent,
      'target',
    ],
  ] as const)('is decided if %s', (_name, state, seen, cause) => {
    expect(blame(state, seen, NOW)).toBe(cause);
  });
});

describe('egress state', () => {
  const failed = { isAnswering: false, isAccused: true };

  it('is lost from the first failing egress check that follows a failing check', () => {
    expect(afterEgressCheck(egress(), { ...failed, isAccused: false }, NOW).lostSince).toBeNull();
    const lost = afterEgressCheck(egress(), failed, NOW);
    expect(lost.lostSince).toBe(NOW);
    expect(afterEgressCheck(lost, failed, NOW + 1).lostSince).toBe(NOW);
    expect(afterEgressCheck(lost, { ...failed, isAnswering: true }, NOW + 2)).toMatchObject({
      workedAt: NOW + 2,
      lostSince: null,
    });
  });

  it('is never lost where no egress check has succeeded', () => {
    expect(afterEgressCheck(initialEgress(NOW), failed, NOW + 1).lostSince).toBeNull();
  });

  it('is no longer lost after three answers of targets in a row', () => {
    const answer = { isFailing: false, isMostlyFailing: false };
    const lost = egress({ lostSince: NOW - 5_000 });
    const two = afterFinding(afterFinding(lost, answer, NOW), answer, NOW);
    expect(two).toMatchObject({ lostSince: NOW - 5_000, answers: 2 });
    expect(afterFinding(two, answer, NOW)).toMatchObject({ lostSince: null, workedAt: null });
    expect(afterFinding(two, { ...answer, isFailing: true }, NOW).answers).toBe(0);
    expect(afterFinding(two, { ...answer, isMostlyFailing: true }, NOW).answers).toBe(0);
  });
});

describe('recent checks of a worker', () => {
  const recent = (...checks: [string, boolean, number][]) => {
    const kept = new Recent();
    for (const [id, isFailing, at] of checks) kept.add(id, isFailing, at);
    const now = checks.at(-1)?.[2] ?? 0;
    return [kept.isMostlyPassing(now), kept.isMostlyFailing(now)];
  };

  it.each([
    ['none', [], [false, false]],
    ['one failing', [['a', true, 0]], [false, true]],
    ['one passing', [['a', false, 0]], [true, false]],
    [
      'as many failing as passing',
      [
        ['a', true, 0],
        ['b', false, 0],
      ],
      [false, true],
    ],
    [
      'more passing than failing',
      [
        ['a', true, 0],
        ['b', false, 0],
        ['c', false, 0],
      ],
      [true, false],
    ],
    [
      'a monitor by its latest check',
      [
        ['a', true, 0],
        ['b', false, 0],
        ['a', false, 1],
      ],
      [true, false],
    ],
    [
      'only the last five seconds',
      [
        ['a', false, 0],
        ['b', false, 0],
        ['c', true, 5_001],
      ],
      [false, true],
    ],
  ] as [string, [string, boolean, number][], boolean[]][])('count %s', (_name, checks, expected) => {
    expect(recent(...checks)).toEqual(expected);
  });

  it('count the last twenty monitors', () => {
    const many = (name: string, isFailing: boolean, count: number) =>
      Array.from({ length: count }, (_, i): [string, boolean, number] => [`${name}${i}`, isFailing, 3]);
    expect(recent(...many('w', false, 20), ...many('f', true, 9))).toEqual([true, false]);
    expect(recent(...many('w', false, 20), ...many('f', true, 10))).toEqual([false, true]);
  });

  it('forget checks as time passes', () => {
    const kept = new Recent();
    kept.add('a', true, 0);
    expect(kept.isMostlyFailing(5_000)).toBe(true);
    expect(kept.isMostlyFailing(5_001)).toBe(false);
  });
});

describe('egress check target', () => {
  it.each([
    ['https://shop.example/', 'shop.example', true],
    ['https://93.184.215.14/', '93.184.215.14', true],
    ['http://127.0.0.1:80/', '127.0.0.1', false],
    ['http://10.1.2.3/', '10.1.2.3', false],
    ['http://[::1]/', '[::1]', false],
    ['http://[2606:4700::1111]/', '[2606:4700::1111]', true],
    ['http://localhost/', 'localhost', false],
    ['http://nas.local/', 'nas.local', false],
    ['http://intranet/', 'intranet', false],
    ['http://db.eu.internal./', 'db.eu.internal.', false],
  ])('%s', (url, host, expected) => {
    expect(isOutside({ target: { type: 'http', config: HttpConfig.parse({ url }) }, host })).toBe(expected);
  });

  it('is none for a domain, because answers of its registry are cached', () => {
    const config = definitions.domain.schema.parse({ domain: 'shop.example' });
    expect(isOutside({ target: { type: 'domain', config }, host: 'rdap.example' })).toBe(false);
  });

  it.each([
    ['down', false, true],
    ['up', false, false],
    ['up', true, true],
    ['down', true, false],
    ['degraded', false, false],
  ] as const)('counts %s of a monitor with upsideDown %s as a failure: %s', (status, upsideDown, failed) => {
    const config = HttpConfig.parse({ url: 'https://shop.example/', upsideDown });
    const plan = { target: { type: 'http', config } } as Plan;
    expect(hasFailed(plan, { at: new Date(), observation: null, verdict: { status, error: null } })).toBe(failed);
    expect(isUsualFailure(plan, false)).toBe(upsideDown);
    expect(isUsualFailure(plan, true)).toBe(true);
  });

  it('is none if none is configured', () => {
    expect(isOutside({ target: null, host: '' })).toBe(false);
  });
});
