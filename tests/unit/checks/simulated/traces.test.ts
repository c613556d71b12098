import { describe, expect, it } from 'vitest';
import { type Setup, type Sight, SimulatedMonitor, secondsOf } from '@/tests/support/simulated-monitor';

const THREE = ['r0', 'r1', 'r2'];

/** A target that fails from everywhere in these stretches of seconds. */
const downIn =
  (...stretches: [number, number][]): Setup['see'] =>
  (at) =>
    stretches.some(([from, to]) => from <= at && at < to) ? 'down' : 'up';

/** The answers of a target to any region, in turns: `pattern` repeats. */
function inTurns(pattern: string) {
  let asked = 0;
  return (): Sight => {
    const answer = pattern[asked % pattern.length];
    asked += 1;
    return answer === 'F' ? 'down' : answer === 'U' ? 'unknown' : 'up';
  };
}

const seconds = (monitor: SimulatedMonitor) => monitor.messages.map(({ kind, at }) => `${kind} ${Math.floor(at)}`);

const FLIPS: [number, number][] = [
  [600, 720],
  [840, 960],
  [1080, 1200],
];

describe('flapping with regions', () => {
  it.each([[['r0']], [THREE]])('does not end as up by a check that fails: %s', (regions) => {
    // The stable time ends between 2,100 and 2,160 s.
    for (let from = 2_040; from < 2_160; from += 5) {
      const monitor = new SimulatedMonitor({ regions, see: downIn(...FLIPS, [from, 9_000]) }).run(3_600);
      const all = `down from ${from}: ${seconds(monitor)}`;
      expect(monitor.messages.at(-1)?.kind, all).toBe('down');
      expect(
        monitor.messages.filter(({ kind, at }) => kind === 'up' && at >= from),
        all,
      ).toEqual([]);
    }
  });
});

describe('flapping while one of three regions cannot reach the service', () => {
  it.each([1_461, 1_465, 1_469])(
    'does not end as up by a check of that region while the service is down from %i s on',
    (from) => {
      // Without the last outage, flapping ends at 1,470 s. r0 votes down by then, so its checks contradict no vote of its own.
      const isDown = downIn(...FLIPS.slice(0, 2), [1_080, 1_212], [from, 9_000]);
      const see: Setup['see'] = (at, region) => (region === 'r0' && at >= 1_080 ? 'down' : isDown(at, region));
      const monitor = new SimulatedMonitor({ regions: THREE, see }).run(1_800);
      expect(monitor.messages.at(-1)?.kind).toBe('down');
      expect(monitor.messages.filter(({ kind, at }) => kind === 'up' && at >= from)).toEqual([]);
    },
  );
});

describe('flapping of a service in regions that get an error every second time', () => {
  it.each([20, 30, 60])('ends as down within 20 min, checked every %i s', (intervalSeconds) => {
    const turns = new Map<string, () => Sight>(THREE.map((region) => [region, inTurns('PF')]));
    const flips = downIn(...FLIPS);
    const see: Setup['see'] = (at, region) => (at < 1_200 ? flips(at, region) : (turns.get(region)?.() ?? 'up'));
    const monitor = new SimulatedMonitor({ intervalSeconds, regions: THREE, see }).run(1_200);
    expect(monitor.own.steady_since).not.toBeNull();
    monitor.run(1_200 + 1_230);
    expect(monitor.own).toMatchObject({ status: 'down', open_incident: 'downtime', steady_since: null });
  });
});

describe('flapping of a service in regions that get an error every third time', () => {
  it.each([20, 30, 60])('ends as up within 45 min, by a check that passes, checked every %i s', (intervalSeconds) => {
    const regions = [...THREE, 'r3'];
    const turns = new Map<string, () => Sight>(regions.map((region) => [region, inTurns('PPF')]));
    const flips = downIn(...FLIPS);
    let last: Sight = 'up';
    const see: Setup['see'] = (at, region) => {
      last = at < 1_200 ? flips(at, region) : (turns.get(region)?.() ?? 'up');
      return last;
    };
    const monitor = new SimulatedMonitor({ intervalSeconds, regions, see }).run(1_200);
    expect(monitor.own.steady_since).not.toBeNull();
    for (let at = 1_201; monitor.own.open_incident !== null && at < 1_200 + 2_700; at += 1) monitor.run(at);
    expect(monitor.own).toMatchObject({ status: 'up', open_incident: null });
    expect(last).toBe('up');
  });
});

describe('a service that is down for 30 s and up for 50 s in turns for 15 min', () => {
  it.each([20, 60])('causes two alarms in three regions, checked every %i s', (intervalSeconds) => {
    const flips = Array.from({ length: 11 }, (_, i): [number, number] => [600 + i * 80, 630 + i * 80]);
    const monitor = new SimulatedMonitor({ intervalSeconds, regions: THREE, see: downIn(...flips) }).run(3_600);
    expect(monitor.messages.map(({ kind }) => kind)).toEqual(['down', 'up', 'down', 'up']);
    expect(monitor.messages[3]?.at).toBeLessThan(1_430 + 120);
  });
});

describe('a service that is down for 25 s and up for 35 s in turns for 15 min', () => {
  it.each([[[]], [THREE]])('causes one alarm and one recovery, and its times up are recorded: %j', (regions) => {
    const flips = Array.from({ length: 15 }, (_, i): [number, number] => [600 + i * 60, 625 + i * 60]);
    const monitor = new SimulatedMonitor({ regions, see: downIn(...flips) }).run(3_600);
    expect(monitor.messages.map(({ kind }) => kind)).toEqual(['down', 'up']);
    expect(monitor.messages[1]?.at).toBeLessThan(1_465 + 90);
    const ups = monitor.spans.filter(({ status, startedAt }) => status === 'up' && secondsOf(startedAt) > 620);
    expect(ups.length).toBeGreaterThan(8);
  });
});

describe('a monitor that flaps in three regions', () => {
  it('is checked by each region every 5 s', () => {
    const flips = Array.from({ length: 11 }, (_, i): [number, number] => [600 + i * 80, 630 + i * 80]);
    const monitor = new SimulatedMonitor({ regions: THREE, see: downIn(...flips) }).run(900);
    expect(monitor.own.steady_since).not.toBeNull();
    const before = monitor.checks;
    expect(monitor.run(1_200).checks - before).toBeGreaterThan(3 * 50);
  });
});

describe('an edit of a flapping monitor', () => {
  it.each([[[]], [THREE]])('keeps that the monitor was up, so that a lasting outage is notified: %j', (regions) => {
    const see = downIn(...FLIPS.slice(0, 2), [1080, 1200], [1320, 9_000]);
    const edited = new SimulatedMonitor({ regions, see });
    edited.run(1_380);
    const before = edited.messages.length;
    edited.edit();
    edited.run(4_000);
    const unedited = new SimulatedMonitor({ regions, see }).run(4_000);
    expect(edited.messages.length).toBe(before + 1);
    expect(edited.messages.map(({ kind }) => kind)).toEqual(unedited.messages.map(({ kind }) => kind));
  });
});

describe('two outages within an hour', () => {
  it.each([[[]], [THREE]])(
    'finds no flapping in two outages within an hour, and notifies each recovery when it happens: %j',
    (regions) => {
      const monitor = new SimulatedMonitor({ regions, see: downIn([600, 900], [2700, 3000]) }).run(6_000);
      expect(monitor.messages.map(({ kind }) => kind)).toEqual(['down', 'up', 'down', 'up']);
      expect(monitor.messages[3]?.at).toBeLessThan(3_090);
    },
  );
});

describe('flapping that is over', () => {
  it('is notified as late as its stable time, not counted from a restart or an unknown check', () => {
    const see = downIn(...FLIPS);
    const undisturbed = new SimulatedMonitor({ see }).run(6_000).messages.at(-1)?.at ?? 0;
    const asleepUntil = (at: number) => (at >= 1_800 && at < 2_000 ? 2_000 : null);
    const restarted = new SimulatedMonitor({ see, asleepUntil }).run(6_000).messages.at(-1);
    expect(restarted?.kind).toBe('up');
    expect(restarted?.at).toBeLessThanOrEqual(undisturbed + 200);
    const isUnknown = (at: number) => at >= 1_790 && at < 1_830;
    const lost = new SimulatedMonitor({ see: (at, region) => (isUnknown(at) ? 'unknown' : see(at, region)) });
    const told = lost.run(6_000).messages.at(-1);
    expect(told?.kind).toBe('up');
    expect(told?.at).toBeLessThanOrEqual(undisturbed + 120);
  });
});

describe('a half-broken service', () => {
  it.each(['FP', 'FFP', 'FPFFP'])('is down after a check that was unknown, if it answers %s in turns', (pattern) => {
    const turns = inTurns(pattern);
    const see = (at: number): Sight => (at < 600 ? 'up' : at < 900 ? 'down' : at < 960 ? 'unknown' : turns());
    const monitor = new SimulatedMonitor({ see }).run(1_800);
    for (let at = 1_800; at < 9_000; at += 60) expect(monitor.run(at).own.status, `at ${at}`).toBe('down');
  });

  it.each(['FPP', 'FPPP', 'FPPPP', 'FPPPPP', 'FPPPPPP', 'FPPPPPPP'])(
    'is up within 25 min after an outage if it answers %s in turns, as without the outage',
    (pattern) => {
      const without = new SimulatedMonitor({ see: inTurns(pattern) }).run(9_000);
      expect(without.messages).toEqual([]);
      const turns = inTurns(pattern);
      const after = new SimulatedMonitor({ see: (at) => (at >= 600 && at < 900 ? 'down' : turns()) }).run(900 + 1_500);
      expect(after.messages.map(({ kind }) => kind)).toEqual(['down', 'up']);
      expect(after.run(20_000).messages).toHaveLength(2);
    },
  );

  it.each(['FP', 'FFP', 'FFPP'])('is down within 6 min if it answers %s in turns', (pattern) => {
    const turns = inTurns(pattern);
    const monitor = new SimulatedMonitor({ see: (at) => (at < 600 ? 'up' : turns()) }).run(600 + 360);
    expect(monitor.messages.map(({ kind }) => kind)).toEqual(['down']);
    expect(monitor.run(20_000).messages).toHaveLength(1);
  });
});

describe('regions of a monitor that is down', () => {
  /** Fails half of the requests, by a hash of time and region. */
  const half = (seed: number) => (at: number, region: string) => {
    const x = Math.sin(at * 12.9898 + seed * 78.233 + region.charCodeAt(region.length - 1) * 37.719) * 43758.5453;
    return x - Math.floor(x) < 0.5;
  };

  it('do not say "up" of a half-failing service after one good check each, after an edit or when regions are added', () => {
    let [edited, added] = [0, 0];
    for (let seed = 0; seed < 40; seed += 1) {
      const isFailing = half(seed);
      const see = (at: number, region: string): Sight =>
        at < 600 ? 'up' : at < 1_200 || isFailing(at, region) ? 'down' : 'up';
      const first = new SimulatedMonitor({ regions: THREE, see }).run(1_201);
      const second = new SimulatedMonitor({ regions: ['r0'], see }).run(1_201);
      first.edit();
      second.setRegions(THREE);
      if (first.run(1_230).messages.length > 1) edited += 1;
      if (second.run(1_230).messages.length > 1) added += 1;
    }
    expect({ edited, added }).toEqual({ edited: 0, added: 0 });
  });
});

describe('a monitor that was slow', () => {
  it('is up again although every fifth check fails', () => {
    const turns = inTurns('PPPPF');
    const see = (at: number): Sight => (at < 600 ? 'up' : at < 1_800 ? 'degraded' : turns());
    const monitor = new SimulatedMonitor({ see }).run(1_800);
    expect(monitor.own.status).toBe('degraded');
    expect(monitor.run(3_600).own.status).toBe('up');
  });
});

describe('a service that fails some checks for two hours and then goes down', () => {
  const seeSome = (pattern: string) => {
    const answer = inTurns(pattern);
    return (at: number): Sight => (at < 7_200 ? answer() : 'down');
  };

  it.each(['FPP', 'FPFPP'])('is down since then, not since its first failing check: %s', (pattern) => {
    const monitor = new SimulatedMonitor({ see: seeSome(pattern) }).run(7_500);
    const opened = monitor.changes.flatMap(({ change }) => (change.kind === 'open' ? [change] : []));
    expect(opened.map(({ startedAt }) => secondsOf(startedAt) > 7_200 - 130)).toEqual([true]);
  });

  it('is checked at the regular interval again and again', () => {
    // Without an end of its streak, there would be 720 checks, 10 s apart.
    expect(new SimulatedMonitor({ see: seeSome('FPP') }).run(7_200).checks).toBeLessThan(620);
  });
});
