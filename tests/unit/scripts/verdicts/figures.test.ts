import { describe, expect, it } from 'vitest';
import { figuresOf } from '@/scripts/bench/verdicts/figures';
import type { Alert, Replayed } from '@/scripts/bench/verdicts/replay';
import { MINUTE, traceOf } from '@/scripts/bench/verdicts/traces';

const span = (from: number, to: number) => ({ from: from * MINUTE, to: to * MINUTE });
const alert = (kind: Alert['kind'], at: number, checkedAt = at): Alert => {
  return { kind, at: at * MINUTE, checkedAt: checkedAt * MINUTE };
};

/** A target that is down from minute 10 to 20 and from 60 to 90. */
const outages = [span(10, 20), span(60, 90)];
const trace = traceOf('by hand', 120 * MINUTE, {
  outages,
  events: outages.map((outage) => ({ ...outage, share: 1, failure: 'error' })),
});

const said = (alerts: Alert[], more: Partial<Replayed> = {}) =>
  figuresOf(trace, { alerts, down: [], unknown: [], ...more }, 60);

describe('figuresOf', () => {
  it('counts nothing against a rule that reports each outage and its end once', () => {
    const alerts = [alert('down', 11), alert('up', 21), alert('down', 62), alert('up', 93)];
    expect(said(alerts, { down: outages })).toMatchObject({
      outages: 2,
      falseAlarms: 0,
      missed: 0,
      doubled: 0,
      messages: 4,
      uptimeErrorMs: 0,
      toAlert: [MINUTE, 2 * MINUTE],
      toResolve: [MINUTE, 3 * MINUTE],
    });
  });

  it('counts an alert outside of every outage as false', () => {
    expect(said([alert('down', 40), alert('up', 41)])).toMatchObject({ falseAlarms: 1, missed: 2, toResolve: [] });
  });

  it('counts an alert that is confirmed after the end of its outage for that outage', () => {
    expect(said([alert('down', 22)])).toMatchObject({ falseAlarms: 0, toAlert: [12 * MINUTE] });
  });

  it('counts a second alert within an outage, or of one that is over, as doubled', () => {
    const alerts = [alert('down', 61), alert('up', 65), alert('down', 66), alert('up', 91), alert('down', 92)];
    expect(said(alerts)).toMatchObject({ falseAlarms: 0, doubled: 2, toAlert: [MINUTE] });
  });

  it('counts an outage as reported while an earlier alert is open', () => {
    expect(said([alert('down', 11), alert('up', 95)])).toMatchObject({ missed: 0, toAlert: [MINUTE] });
  });

  it('does not count an outage shorter than two intervals as missed', () => {
    expect(figuresOf(trace, { alerts: [], down: [], unknown: [] }, 600)).toMatchObject({ missed: 1 });
  });

  it('measures no time to resolve for a recovery that was reported during the outage', () => {
    expect(said([alert('down', 61), alert('up', 65)])).toMatchObject({ toResolve: [] });
  });

  it('adds up the time that was said wrongly in either direction, without what was unknown', () => {
    const down = [span(5, 20), span(70, 90)];
    expect(said([], { down })).toMatchObject({ uptimeErrorMs: 15 * MINUTE });
    expect(said([], { down, unknown: [span(60, 66)] })).toMatchObject({ uptimeErrorMs: 9 * MINUTE });
  });

  it('measures the time to resolve after flapping, too', () => {
    const flapping = traceOf('flapping', 120 * MINUTE, { outages: [span(60, 70)] });
    const alerts = [alert('down', 61), alert('up', 85)];
    expect(figuresOf(flapping, { alerts, down: [], unknown: [] }, 60)).toMatchObject({
      toResolve: [15 * MINUTE],
      missed: 0,
    });
  });

  it('counts recoveries that are sent while the target is down', () => {
    const events = [{ ...span(10, 40), share: 1, failure: 'error' as const }];
    const outage = traceOf('outage', 60 * MINUTE, { events, outages: [span(10, 40)] });
    const replayed = { alerts: [alert('down', 11), alert('up', 20)], down: [], unknown: [] };
    expect(figuresOf(outage, replayed, 60)).toMatchObject({ falseRecoveries: 1 });
    const right = { ...replayed, alerts: [alert('down', 11), alert('up', 41)] };
    expect(figuresOf(outage, right, 60)).toMatchObject({ falseRecoveries: 0 });
  });

  it('counts a flapping target as down only while it is', () => {
    const failing = { share: 1, failure: 'error' as const };
    const events = [
      { ...span(0, 10), ...failing },
      { ...span(20, 30), ...failing },
    ];
    const flapping = traceOf('flapping', 60 * MINUTE, { events, outages: [span(0, 40)] });
    const replayed = { alerts: [], down: [span(0, 10)], unknown: [] };
    expect(figuresOf(flapping, replayed, 60)).toMatchObject({ uptimeErrorMs: 10 * MINUTE });
  });

  it('counts a degraded alert as false where the target was not slow for long', () => {
    const slow = traceOf('slow', 60 * MINUTE, { slow: [span(10, 20)] });
    const alerts = [alert('degraded', 12), alert('degraded over', 21), alert('degraded', 40)];
    expect(figuresOf(slow, { alerts, down: [], unknown: [] }, 60)).toMatchObject({ falseDegraded: 1 });
  });
});
