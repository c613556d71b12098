import { describe, expect, it } from 'vitest';
import { isOutside } from '@/server/checks/run/is-outside';
import { blame, Recent } from '@/server/checks/verdict/canary';
import { HttpConfig } from '@/server/monitors/schema';

describe('target or self', () => {
  const now = 1_000_000;
  const worked = { workedAt: now - 60_000, lostSince: null };
  it.each([
    ['the canary answers', worked, true, 'they'],
    ['it is silent but answered recently', worked, false, 'we'],
    ['it never answered', { workedAt: null, lostSince: null }, false, 'they'],
    ['it was silent long before the first failure', { workedAt: now - 200_000, lostSince: null }, false, 'they'],
    ['our network has been down for a long time', { workedAt: now - 900_000, lostSince: now - 800_000 }, false, 'we'],
    ['our network has recovered', { workedAt: now - 900_000, lostSince: now - 800_000 }, true, 'they'],
  ] as const)('decides if %s', (_name, state, isAnswering, who) => {
    expect(blame(state, isAnswering, now)).toBe(who);
  });
});

describe('recent checks of a worker', () => {
  const recent = (...checks: [string, boolean, number][]) => {
    const kept = new Recent();
    for (const [id, isFailing, at] of checks) kept.add(id, isFailing, at);
    return kept.isSuspicious();
  };
  const three = [['a', true, 0] as const, ['b', true, 1] as const, ['c', true, 2] as const].map(
    ([id, isFailing, at]): [string, boolean, number] => [id, isFailing, at],
  );

  it('are suspicious once at least three monitors, and half of them, fail', () => {
    expect(recent(...three.slice(1))).toBe(false);
    expect(recent(...three)).toBe(true);
    expect(recent(['d', false, 0], ['e', false, 0], ['f', false, 0], ...three)).toBe(true);
    expect(recent(['d', false, 0], ['e', false, 0], ['f', false, 0], ['g', false, 0], ...three)).toBe(false);
  });

  it('count a monitor once, by its latest check', () => {
    expect(recent(['a', true, 0], ['a', true, 1], ['a', true, 2])).toBe(false);
    expect(recent(...three, ['a', false, 3])).toBe(false);
  });

  it('keep the last twenty checks of the last half minute', () => {
    expect(recent(['a', true, 0], ['b', true, 20_000], ['c', true, 31_000])).toBe(false);
    const well = Array.from({ length: 20 }, (_, i): [string, boolean, number] => [`w${i}`, false, 3]);
    expect(recent(...three, ...well)).toBe(false);
    const failing = Array.from({ length: 10 }, (_, i): [string, boolean, number] => [`f${i}`, true, 4]);
    expect(recent(...well, ...well, ...failing)).toBe(true);
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

  it('is none if none is configured', () => {
    expect(isOutside({ target: null, host: '' })).toBe(false);
  });
});
