import { describe, expect, it } from 'vitest';
import { ours } from '@/scripts/bench/verdicts/ours';
import { replay } from '@/scripts/bench/verdicts/replay';
import { MINUTE, Reader, SECOND, type Trace, traceOf } from '@/scripts/bench/verdicts/traces';

/** What a rule sends about a trace, each with its second, at an interval of 60 s. */
function alertsOf(name: string, trace: Trace): string[] | undefined {
  const rule = ours.find((each) => each.name === name);
  if (!rule) throw new Error(`There is no rule ${name}.`);
  const replayed = replay(rule, trace, new Reader(trace, 1), 60);
  return replayed?.alerts.map(({ kind, at }) => `${kind} ${Math.floor(at / SECOND)}`);
}

/** Refuses connections from second `from` on. */
function refusing(from: number, to: number, more: Partial<Trace> = {}): Trace {
  const outage = { from: from * SECOND, to: to * SECOND };
  const events = [{ ...outage, share: 1, failure: 'refused' as const }];
  return traceOf('by hand', 60 * MINUTE, { outages: [outage], events, ...more });
}

describe('replayed checks', () => {
  it.each([
    ['Upwatch, 1 place', ['down 147', 'up 637']],
    ['Upwatch, 3 places', ['down 127', 'up 617']],
    ['Upwatch, 1 place, 20 s', ['down 132', 'up 622']],
  ])('%s alerts about an outage from second 100 to 580, and about its end', (name, alerts) => {
    expect(alertsOf(name, refusing(100, 580))).toEqual(alerts);
  });

  it.each(ours.map(({ name }) => name))('%s sends nothing about an outage of one second', (name) => {
    for (let second = 100; second < 160; second += 1) expect(alertsOf(name, refusing(second, second + 1))).toEqual([]);
  });

  it('let the majority of the places decide', () => {
    const inPlaces = (places: number[]) => {
      const { events, ...trace } = refusing(100, 580);
      return alertsOf('Upwatch, 3 places', { ...trace, events: events.map((event) => ({ ...event, places })) });
    };
    expect(inPlaces([1])).toEqual([]);
    expect(inPlaces([1, 2])).toEqual(['down 127', 'up 617']);
  });
});

describe('replayed heartbeats', () => {
  /** A job every 300 s with a grace of 60 s, that pings at these seconds. */
  const job = (pings: number[]) =>
    traceOf('by hand', 60 * MINUTE, {
      job: { periodSeconds: 300, graceSeconds: 60, pings: pings.map((ping) => ping * SECOND) },
    });

  it('alert about pings that did not come', () => {
    const pings = [301, 1_500, 1_800, 2_100, 2_400, 2_700, 3_000, 3_300, 3_599];
    expect(alertsOf('Upwatch, 1 place', job(pings))).toEqual(['down 661', 'up 1500']);
  });

  it('accept a ping within the grace', () => {
    const pings = [300, 659, 900, 1_200, 1_500, 1_800, 2_100, 2_400, 2_700, 3_000, 3_300, 3_599];
    expect(alertsOf('Upwatch, 1 place', job(pings))).toEqual([]);
  });

  it('have no rule for three places', () => {
    expect(alertsOf('Upwatch, 3 places', job([300]))).toBeUndefined();
  });
});

describe('replayed certificates', () => {
  it('alert about a certificate that expires soon', () => {
    const outages = [{ from: 10 * MINUTE, to: 20 * MINUTE }];
    const trace = traceOf('by hand', 60 * MINUTE, { outages, oldCertificates: 1 });
    expect(alertsOf('Upwatch, 1 place', trace)).toEqual(['down 637']);
    expect(alertsOf('Upwatch, 3 places', trace)).toBeUndefined();
  });
});

describe('what a check observes', () => {
  it('depends on time and place only, so that every rule sees the same year', () => {
    const trace = traceOf('loss', 60 * MINUTE, { loss: 0.3 });
    const [one, other] = [new Reader(trace, 7), new Reader(trace, 7)];
    const times = Array.from({ length: 200 }, (_, index) => index * 10 * SECOND);
    for (const at of times.filter((_, index) => index % 3 === 0)) other.see(at, 1);
    expect(times.map((at) => one.see(at, 0))).toEqual(times.map((at) => other.see(at, 0)));
  });

  it('is a late answer if the first packets are lost, and a failure only if all are', () => {
    const outage = (to: number): Trace => {
      const events = [{ from: 0, to, share: 1, failure: 'silent' as const }];
      return traceOf('silent', MINUTE, { events });
    };
    expect(new Reader(outage(2 * SECOND), 1).see(0, 0)).toMatchObject({ isFailing: false, isSlow: true });
    expect(new Reader(outage(8 * SECOND), 1).see(0, 0)).toMatchObject({ isFailing: true, tookMs: 10_000 });
  });
});
