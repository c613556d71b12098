import { describe, expect, it } from 'vitest';
import { ours } from '@/scripts/bench/verdicts/ours';
import { peers } from '@/scripts/bench/verdicts/peers';
import { replay } from '@/scripts/bench/verdicts/replay';
import { MINUTE, Reader, SECOND, type Trace, traceOf } from '@/scripts/bench/verdicts/traces';
import { random } from '@/tests/support/random';

/** The seconds at which a rule tells of what, at an interval of 60 s. */
function toldBy(name: string, trace: Trace): string[] | undefined {
  const rule = [...ours, ...peers].find((each) => each.name === name);
  if (!rule) throw new Error(`There is no rule ${name}.`);
  const replayed = replay(rule, trace, new Reader(trace, random(1)), 60);
  return replayed?.alerts.map(({ kind, at }) => `${kind} ${Math.floor(at / SECOND)}`);
}

/** Refuses connections from second `from` on. */
function refusing(from: number, to: number, more: Partial<Trace> = {}): Trace {
  const outage = { from: from * SECOND, to: to * SECOND };
  const events = [{ ...outage, share: 1, failure: 'refused' as const }];
  return traceOf('by hand', 60 * MINUTE, { outages: [outage], events, ...more });
}

describe('rules of other tools, on checks', () => {
  it.each([
    ['Kuma, 0 retries', ['down 120', 'up 600']],
    ['Kuma, 2 retries', ['down 240', 'up 600']],
    ['Gatus 3/2', ['down 240', 'up 660']],
    ['OpenStatus, 3 places', ['down 122', 'up 600']],
  ])('%s tells of an outage from second 100 to 580', (name, told) => {
    expect(toldBy(name, refusing(100, 580))).toEqual(told);
  });

  it.each([
    ['Kuma, 0 retries', ['down 120', 'up 180']],
    ['Kuma, 2 retries', []],
    ['Gatus 3/2', []],
    ['OpenStatus, 3 places', []],
  ])('%s tells of one second, in which a check is made, or does not', (name, told) => {
    expect(toldBy(name, refusing(120, 121))).toEqual(told);
  });

  it('lets half of the places decide for OpenStatus', () => {
    const inPlaces = (places: number[]) => {
      const { events, ...trace } = refusing(100, 580);
      return toldBy('OpenStatus, 3 places', { ...trace, events: events.map((event) => ({ ...event, places })) });
    };
    expect(inPlaces([1])).toEqual([]);
    expect(inPlaces([1, 2])).toEqual(['down 122', 'up 600']);
  });

  it('counts failures from the start after a restart', () => {
    const asleep = [{ from: 170 * SECOND, to: 190 * SECOND }];
    expect(toldBy('Gatus 3/2', refusing(100, 580, { asleep, forgets: true }))).toEqual(['down 310', 'up 670']);
    expect(toldBy('Gatus 3/2', refusing(100, 580, { asleep }))).toEqual(['down 250', 'up 670']);
  });

  it('has no rule for checks of Healthchecks', () => {
    expect(toldBy('Healthchecks', refusing(100, 580))).toBeUndefined();
  });
});

describe('rules for heartbeats', () => {
  /** A job every 300 s with a grace of 60 s, that pings at these seconds. */
  const job = (pings: number[], away: [number, number][] = []) =>
    traceOf('by hand', 60 * MINUTE, {
      job: { periodSeconds: 300, graceSeconds: 60, pings: pings.map((ping) => ping * SECOND) },
      asleep: away.map(([from, to]) => ({ from: from * SECOND, to: to * SECOND })),
      forgets: true,
    });

  it.each([
    ['Upwatch, 1 place', ['down 661', 'up 1500']],
    ['Healthchecks', ['down 662', 'up 1500']],
    ['Kuma, 0 retries', ['down 661', 'up 1500']],
    ['Kuma, 2 retries', ['down 781', 'up 1500']],
    ['Gatus 3/2', ['down 1381', 'up 1800']],
  ])('%s tells of pings that did not come', (name, told) => {
    const pings = [301, 1_500, 1_800, 2_100, 2_400, 2_700, 3_000, 3_300, 3_599];
    expect(toldBy(name, job(pings))).toEqual(told);
  });

  it.each(['Upwatch, 1 place', 'Healthchecks', 'Kuma, 0 retries', 'Gatus 3/2'])(
    '%s lets a ping come in grace',
    (name) => {
      const pings = [300, 659, 900, 1_200, 1_500, 1_800, 2_100, 2_400, 2_700, 3_000, 3_300, 3_599];
      expect(toldBy(name, job(pings))).toEqual([]);
    },
  );

  it('lets Healthchecks tell of a ping that came while it was away', () => {
    const pings = [300, 600, 900, 1_200, 1_500, 1_800, 2_100, 2_400, 2_700, 3_000, 3_300, 3_599];
    expect(toldBy('Healthchecks', job(pings, [[590, 620]]))).toEqual(['down 660', 'up 900']);
    expect(toldBy('Kuma, 0 retries', job(pings, [[590, 620]]))).toEqual([]);
  });
});

describe('rules for certificates', () => {
  it('has Kuma tell of each certificate that follows another one, and never of an end', () => {
    const outages = [{ from: 10 * MINUTE, to: 20 * MINUTE }];
    const trace = traceOf('by hand', 60 * MINUTE, { outages, oldCertificates: 1 });
    expect(toldBy('Kuma, 0 retries', trace)).toEqual(['down 600']);
    expect(toldBy('Gatus 3/2', trace)).toEqual(['down 720', 'up 1260']);
    expect(toldBy('OpenStatus, 3 places', trace)).toBeUndefined();
  });
});
