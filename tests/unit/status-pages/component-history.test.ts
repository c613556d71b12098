import { describe, expect, it } from 'vitest';
import { timeIn, worstOf } from '@/server/history/uptime';
import { componentSpans, type NamingIncident, toHistory } from '@/server/status-pages/components/component-history';
import { componentStatus } from '@/server/status-pages/components/component-status';
import { toPublicComponent } from '@/server/status-pages/components/public-component';
import { DAY_MS, HOUR_MS } from '@/server/time/schema';

const created = new Date('2026-11-01T00:00:00Z');
const now = new Date('2026-11-20T12:00:00Z');
const at = (hours: number) => new Date(created.getTime() + hours * HOUR_MS);
const incident = (severity: NamingIncident['severity'], from: number, to: number | null): NamingIncident => ({
  severity,
  startedAt: at(from),
  resolvedAt: to === null ? null : at(to),
});
const spansOf = (...incidents: NamingIncident[]) =>
  componentSpans(created, incidents).map(({ status, startedAt, endedAt }) => {
    const hours = (time: Date) => (time.getTime() - created.getTime()) / HOUR_MS;
    return [status, hours(startedAt), endedAt && hours(endedAt)];
  });

describe('status of a component without a monitor', () => {
  it.each([
    [[], 'up'],
    [['minor'], 'degraded'],
    [['warning', 'minor'], 'degraded'],
    [['minor', 'critical', 'warning'], 'down'],
  ] as const)('follows the open incidents %j: %s', (severities, status) => {
    expect(componentStatus([...severities])).toBe(status);
  });
});

describe('spans of a component without a monitor', () => {
  it.each<[string, NamingIncident[], unknown[]]>([
    ['is up without incidents', [], [['up', 0, null]]],
    [
      'is down in a critical incident',
      [incident('critical', 2, 5)],
      [
        ['up', 0, 2],
        ['down', 2, 5],
        ['up', 5, null],
      ],
    ],
    [
      'has the worst of incidents that overlap',
      [incident('warning', 2, 8), incident('critical', 4, 6)],
      [
        ['up', 0, 2],
        ['degraded', 2, 4],
        ['down', 4, 6],
        ['degraded', 6, 8],
        ['up', 8, null],
      ],
    ],
    [
      'joins incidents that follow each other at once',
      [incident('critical', 2, 4), incident('critical', 4, null)],
      [
        ['up', 0, 2],
        ['down', 2, null],
      ],
    ],
    ['begins with its creation', [incident('minor', -5, null)], [['degraded', 0, null]]],
    ['ignores what was over before', [incident('critical', -5, -2)], [['up', 0, null]]],
    ['ignores an incident without a duration', [incident('critical', 3, 3)], [['up', 0, null]]],
  ])('%s', (_name, incidents, spans) => {
    expect(spansOf(...incidents)).toEqual(spans);
  });

  it('equals the time that incidents took, whatever their order', () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed % below;
    };
    for (let round = 0; round < 50; round += 1) {
      const incidents = Array.from({ length: random(12) }, () => {
        const from = random(400) - 40;
        const severity = (['critical', 'warning', 'minor'] as const)[random(3)] ?? 'minor';
        return incident(severity, from, random(5) === 0 ? null : from + random(60));
      });
      const { known } = toHistory(componentSpans(created, incidents));
      const time = timeIn(known, { from: at(-100), to: at(420) });
      // Hour by hour, as times are whole hours.
      const counted = { up: 0, degraded: 0, down: 0 };
      for (let hour = 0; hour < 420; hour += 1) {
        const open = incidents.filter(({ startedAt, resolvedAt }) => {
          return startedAt <= at(hour) && (resolvedAt === null || resolvedAt > at(hour));
        });
        counted[componentStatus(open.map(({ severity }) => severity))] += HOUR_MS;
      }
      expect({ up: time.up, degraded: time.degraded, down: time.down }, `round ${round}`).toEqual(counted);
    }
  });
});

describe('days of a component without a monitor', () => {
  it('have no data before it was created, and the time of incidents after', () => {
    const spans = componentSpans(created, [incident('critical', 24, 30), incident('minor', 50, 51)]);
    const shown = { id: 'x', name: 'Phone', description: '', status: 'up' as const, since: created };
    const component = toPublicComponent(shown, toHistory(spans), now);
    expect(component.days).toHaveLength(90);
    const age = Math.floor(now.getTime() / DAY_MS) - created.getTime() / DAY_MS + 1;
    expect(component.days.slice(0, 90 - age).every((day) => day === null)).toBe(true);
    expect(component.days.slice(90 - age)).toEqual(['up', 'down', 'degraded', ...Array(age - 3).fill('up')]);
    expect(component.notableDays).toEqual([
      { day: '2026-11-02', down: 21_600, degraded: 0, unknown: 0, maintenance: 0, uptime: 0.75 },
      { day: '2026-11-03', down: 0, degraded: 3_600, unknown: 0, maintenance: 0, uptime: 1 },
    ]);
    const known = (now.getTime() - created.getTime()) / HOUR_MS;
    expect(component.uptime).toBeCloseTo(1 - 6 / known, 4);
    expect(worstOf(timeIn(toHistory(spans).known, { from: at(-48), to: created }))).toBeNull();
  });
});
