import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { recordResults } from '@/server/checks/record/record';
import { toPlan } from '@/server/checks/schedule/plan';
import { readKnown } from '@/server/history/read-known';
import { timeIn } from '@/server/history/uptime';
import { applyToMonitor, applyWindow, planMissed, plannedUntil } from '@/server/maintenance/apply-window';
import { keptSkips, withoutSkip, withSkip } from '@/server/maintenance/occurrences/skip-occurrence';
import { planAhead } from '@/server/maintenance/plan-ahead';
import { lockScope } from '@/server/maintenance/set-monitors';
import { shownStatus } from '@/server/monitor-types/output/shown-status';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { lockMonitor, lockTeam } from '@/server/platform/locks';
import { inNightly } from '@/tests/support/nightly';
import { makeMonitor, makeTeam, readState } from '../checks/monitors';

/*
 * Random windows, edits, checks and absences of the worker on a simulated clock, compared with a model without a database: a set of time ranges and a
 * list of checks.
 */

const ZONE = 'Europe/Berlin';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const DAYS = 24;
const RUNS = Number(process.env.MAINTENANCE_RUNS ?? inNightly(100, 8));
const LIMIT_MS = 60_000 + RUNS * 3_000;
/** How long a check counts. */
const WATCHED_MS = 2 * HOUR;

type Span = [from: number, to: number];

interface Model {
  id: string;
  /** Wall-clock minutes of the day in the zone; null: once. */
  daily: number | null;
  startsAt: number;
  lengthMs: number;
  tagged: boolean;
  /** Starts of occurrences that do not take place. */
  skipped: Set<number>;
  periods: Span[];
  /** Those of former times that an edit of a window that takes place once leaves. */
  kept: Span[];
}

/** The UTC offset of the zone in milliseconds, according to Intl. */
function offsetAt(ms: number): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: ZONE, timeZoneName: 'longOffset' }).formatToParts(ms);
  const [, hours = '0'] = /GMT\+(\d+)/.exec(parts.find(({ type }) => type === 'timeZoneName')?.value ?? '') ?? [];
  return Number(hours) * HOUR;
}

/** The moment of a wall-clock time: after a gap by as much as the clock moved, in a repeated hour the first one. */
function momentOf(wall: number): number {
  const [early, late] = [offsetAt(wall - DAY), offsetAt(wall + DAY)];
  const fits = [wall - early, wall - late].filter((ms) => ms + offsetAt(ms) === wall);
  return fits.length > 0 ? Math.min(...fits) : wall - early;
}

/** From the first day of a daily window on. Its start is exact, also in the second of two repeated hours. */
function startsOf({ startsAt }: Model): number[] {
  const wall = startsAt + offsetAt(startsAt);
  return Array.from({ length: DAYS + 12 }, (_, day) => (day === 0 ? startsAt : momentOf(wall + day * DAY)));
}

function desired(model: Model, until: number): Span[] {
  const { daily, startsAt, lengthMs, skipped } = model;
  if (daily === null) return [[startsAt, startsAt + lengthMs]];
  return startsOf(model)
    .filter((start) => start < until && !skipped.has(start))
    .map((start): Span => [start, start + lengthMs]);
}

const before = (spans: Span[], now: number) =>
  spans.filter(([from]) => from < now).map(([from, to]): Span => [from, Math.min(to, now)]);
const after = (spans: Span[], now: number) =>
  spans.filter(([, to]) => to > now).map(([from, to]): Span => [Math.max(from, now), to]);
const covers = (spans: Span[], at: number) => spans.some(([from, to]) => from <= at && at < to);

type Op =
  | { kind: 'check'; isUp: boolean; inMs: number }
  | { kind: 'away'; inMs: number }
  | {
      kind: 'once' | 'daily';
      which: number;
      startsIn: number;
      /** Starts in the hour that a change of the clock skips or repeats instead. */
      atNight: boolean;
      /** Keeps the start that the window has, if it exists. */
      keepsStart?: boolean;
      lengthMs: number;
      tagged: boolean;
    }
  /** Skips a coming occurrence, or lets it take place after all. */
  | { kind: 'skip'; which: number; nth: number }
  | { kind: 'delete'; which: number }
  | { kind: 'tag' };

const minutes = (min: number, max: number) => fc.integer({ min, max }).map((n) => n * MINUTE);
const anyOp: fc.Arbitrary<Op> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('check'), isUp: fc.boolean(), inMs: minutes(31, 300) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('away'), inMs: minutes(60, 14 * 1440) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('once', 'daily'),
      which: fc.nat(4),
      startsIn: minutes(-180, 600),
      atNight: fc.boolean(),
      keepsStart: fc.boolean(),
      lengthMs: minutes(1, 400),
      tagged: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('skip'), which: fc.nat(4), nth: fc.nat(11) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete'), which: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'tag' }) },
) as fc.Arbitrary<Op>;

/** In autumn the window starts in the second of the repeated hours. */
const inSecondHour: Op[] = [
  { kind: 'check', isUp: true, inMs: 19 * HOUR },
  { kind: 'daily', which: 0, startsIn: HOUR, atNight: false, lengthMs: MINUTE, tagged: false },
  { kind: 'check', isUp: true, inMs: HOUR },
];

/** A window that repeated takes place once, from the start of an occurrence that has passed. */
const onceFromPassedStart: Op[] = [
  { kind: 'check', isUp: true, inMs: HOUR },
  { kind: 'daily', which: 0, startsIn: HOUR, atNight: false, lengthMs: HOUR, tagged: false },
  { kind: 'check', isUp: true, inMs: 3 * HOUR },
  { kind: 'once', which: 0, startsIn: -2 * HOUR, atNight: false, lengthMs: 4 * HOUR, tagged: false },
  { kind: 'check', isUp: false, inMs: HOUR },
];

/** The same while the occurrence is running. */
const onceWhileRunning: Op[] = [
  { kind: 'check', isUp: true, inMs: HOUR },
  { kind: 'daily', which: 0, startsIn: HOUR, atNight: false, lengthMs: 3 * HOUR, tagged: false },
  { kind: 'check', isUp: true, inMs: 2 * HOUR },
  { kind: 'once', which: 0, startsIn: -HOUR, atNight: false, lengthMs: 4 * HOUR, tagged: false },
  { kind: 'check', isUp: false, inMs: HOUR },
];

/** An occurrence passes, the window takes place once at another time instead, and is then moved. */
const onceMovedAfterRule: Op[] = [
  { kind: 'check', isUp: true, inMs: HOUR },
  { kind: 'daily', which: 0, startsIn: HOUR, atNight: false, lengthMs: HOUR, tagged: false },
  { kind: 'check', isUp: true, inMs: 3 * HOUR },
  { kind: 'once', which: 0, startsIn: HOUR, atNight: false, lengthMs: HOUR, tagged: false },
  { kind: 'once', which: 0, startsIn: 2 * HOUR, atNight: false, lengthMs: HOUR, tagged: false },
  { kind: 'check', isUp: true, inMs: HOUR },
];

const EXAMPLES: [Op[]][] = [[inSecondHour], [onceFromPassedStart], [onceWhileRunning], [onceMovedAfterRule]];

class Simulation {
  now: number;
  private readonly windows: (Model | undefined)[] = [];
  /** What remains of deleted windows. */
  private readonly left: Span[] = [];
  private readonly checks: { at: number; isUp: boolean }[] = [];
  private isTagged = false;

  private constructor(
    private readonly start: number,
    private readonly teamId: string,
    private readonly monitor: Awaited<ReturnType<typeof makeMonitor>>,
  ) {
    this.now = start;
  }

  static async make(start: number): Promise<Simulation> {
    const teamId = await makeTeam();
    const monitor = await makeMonitor(teamId, {
      url: 'http://example.test/',
      intervalSeconds: 5,
      config: { confirm: { failures: 1, recoveries: 1 } },
    });
    // A check counts for long, and changes are too far apart to be flapping.
    const config = { ...(monitor.config as object), timeoutMs: WATCHED_MS - 10_000 };
    Object.assign(monitor, await db.monitor.update({ where: { id: monitor.id }, data: { config } }));
    const startedAt = new Date(start);
    await db.monitorState.updateMany({ where: { monitorId: monitor.id }, data: { statusSince: startedAt } });
    await db.statusSpan.updateMany({ where: { monitorNum: monitor.num }, data: { startedAt } });
    return new Simulation(start, teamId, monitor);
  }

  get periods(): Span[] {
    return [...this.left, ...this.windows.flatMap((each) => each?.periods ?? [])];
  }

  async run(op: Op): Promise<void> {
    switch (op.kind) {
      case 'check':
        return this.check(op);
      case 'away':
        this.now += op.inMs;
        return;
      case 'delete':
        return this.change(op.which, null);
      case 'skip':
        return this.skip(op);
      case 'tag':
        return this.tag();
      default: {
        const present = op.keepsStart ? this.windows[op.which] : undefined;
        const startsAt = present?.startsAt ?? (op.atNight ? this.atNight(op.startsIn) : this.now + op.startsIn);
        const daily = op.kind === 'daily' ? startsAt : null;
        const { lengthMs, tagged } = op;
        return this.change(op.which, {
          id: newId(),
          daily,
          startsAt,
          lengthMs,
          tagged,
          skipped: new Set(),
          periods: [],
          kept: [],
        });
      }
    }
  }

  /** Of this day. */
  private atNight(minute: number): number {
    const wall = this.now + offsetAt(this.now);
    return momentOf(wall - (wall % DAY) + 2 * HOUR + (Math.abs(minute) % HOUR));
  }

  private async check({ isUp, inMs }: { isUp: boolean; inMs: number }): Promise<void> {
    this.now += inMs;
    await planAhead({ at: new Date(this.now) });
    const at = new Date(this.now);
    const opened = await db.incident.count({ where: { monitorId: this.monitor.id } });
    const resolved = await db.incident.count({ where: { monitorId: this.monitor.id, status: 'resolved' } });
    const verdict = isUp ? { status: 'up' as const, error: null } : { status: 'down' as const, error: 'no answer' };
    const plan = toPlan(this.monitor);
    const finding = { at, observation: null, verdict };
    await recordResults(null, [{ plan, finding, region: 'test', takenAt: at, claim: null }]);
    this.checks.push({ at: this.now, isUp });
    const isInside = covers(this.periods, this.now);
    if (isInside) {
      expect(await db.incident.count({ where: { monitorId: this.monitor.id } })).toBe(opened);
      expect(await db.incident.count({ where: { monitorId: this.monitor.id, status: 'resolved' } })).toBe(resolved);
    } else {
      const open = await db.incident.findMany({ where: { monitorId: this.monitor.id, status: { not: 'resolved' } } });
      expect(open).toHaveLength(isUp ? 0 : 1);
      if (opened < (await db.incident.count({ where: { monitorId: this.monitor.id } }))) {
        expect(open[0]?.startedAt.getTime()).toBe(this.downSince());
      }
    }
    const shown = shownStatus(await readState(this.monitor.id), at).status;
    expect(shown).toBe(isInside ? 'maintenance' : verdict.status);
  }

  /** The first of the failing checks without another one between. */
  private downSince(): number {
    const lastUp = this.checks.findLastIndex(({ isUp }) => isUp);
    return this.checks[lastUp + 1]?.at ?? 0;
  }

  private inScope = ({ tagged }: Model) => !tagged || this.isTagged;

  private async change(which: number, next: Model | null): Promise<void> {
    const present = this.windows[which];
    if (!present && !next) return;
    const replaced = next?.daily === null && present?.daily === null ? desired(present, 0) : [];
    // The remains of former times within the replaced ones are not specified.
    if (present?.kept.some(([from, to]) => replaced.some(([start, end]) => from < end && to > start))) return;
    const now = new Date(this.now);
    const { teamId } = this;
    const until = this.start + (DAYS + 10) * DAY;
    await db.$transaction(async (tx) => {
      await lockTeam(tx, teamId);
      const row = present ? await tx.maintenanceWindow.findUniqueOrThrow({ where: { id: present.id } }) : null;
      const tags = next?.tagged ? ['x'] : [];
      await lockScope(tx, teamId, next && { monitorIds: next.tagged ? [] : null, tags }, row, now);
      if (row) await planMissed(tx, row, now);
      if (!next) {
        await tx.maintenanceWindow.delete({ where: { id: row?.id ?? '' } });
        await applyWindow(tx, row, null, now);
        return;
      }
      const startsAt = new Date(next.startsAt);
      const recurrence = next.daily === null ? null : 'FREQ=DAILY';
      const times = { startsAt, endsAt: new Date(next.startsAt + next.lengthMs), recurrence, timezone: ZONE };
      const skippedStarts = row ? keptSkips(row, times) : [];
      const data = { ...times, tags, allMonitors: !next.tagged, skippedStarts, plannedUntil: plannedUntil(times, now) };
      const id = row?.id ?? next.id;
      const changed = row
        ? await tx.maintenanceWindow.update({ where: { id }, data })
        : await tx.maintenanceWindow.create({ data: { id, teamId, title: 'Work', ...data } });
      await applyWindow(tx, row, changed, now);
    });
    const passed = before(present?.periods ?? [], this.now);
    if (!next) {
      this.left.push(...passed);
      this.windows[which] = undefined;
      return;
    }
    const starts = next.daily === null ? [] : startsOf(next);
    next.skipped = new Set(starts.filter((start) => present?.skipped.has(start)));
    const wanted = this.inScope(next) ? desired(next, until) : [];
    const coming = next.daily === null ? wanted : after(wanted, this.now);
    const kept = present && replaced.length > 0 && wanted.length > 0 ? present.kept : passed;
    this.windows[which] = { ...next, id: present?.id ?? next.id, periods: [...kept, ...coming], kept };
  }

  private async skip({ which, nth }: { which: number; nth: number }): Promise<void> {
    const window = this.windows[which];
    const start = window && startsOf(window).filter((each) => each > this.now)[nth];
    if (!window || window.daily === null || start === undefined) return;
    const [now, startsAt] = [new Date(this.now), new Date(start)];
    const isSkipped = window.skipped.has(start);
    await db.$transaction(async (tx) => {
      await lockTeam(tx, this.teamId);
      const row = await tx.maintenanceWindow.findUniqueOrThrow({ where: { id: window.id } });
      await lockScope(tx, this.teamId, null, row, now);
      await planMissed(tx, row, now);
      const skippedStarts = (isSkipped ? withoutSkip : withSkip)(row, startsAt, now) ?? [];
      const data = { skippedStarts, plannedUntil: plannedUntil(row, now) };
      await applyWindow(tx, row, await tx.maintenanceWindow.update({ where: { id: window.id }, data }), now);
    });
    if (isSkipped) window.skipped.delete(start);
    else window.skipped.add(start);
    const until = this.start + (DAYS + 10) * DAY;
    const coming = this.inScope(window) ? after(desired(window, until), this.now) : [];
    window.periods = [...before(window.periods, this.now), ...coming];
  }

  private async tag(): Promise<void> {
    await planAhead({ at: new Date(this.now) });
    this.isTagged = !this.isTagged;
    const { id } = this.monitor;
    await db.$transaction(async (tx) => {
      await lockMonitor(tx, this.teamId, { id });
      await tx.monitor.update({ where: { id }, data: { tags: this.isTagged ? ['x'] : [] } });
      await applyToMonitor(tx, this.teamId, this.monitor, { now: new Date(this.now), mayDiffer: true });
    });
    const until = this.start + (DAYS + 10) * DAY;
    for (const window of this.windows) {
      if (!window) continue;
      const coming = this.inScope(window) ? after(desired(window, until), this.now) : [];
      window.periods = [...before(window.periods, this.now), ...coming];
    }
  }

  /** Seconds of maintenance, up and down, minute by minute. */
  expected() {
    const seconds = { up: 0, down: 0, maintenance: 0 };
    const { periods, checks } = this;
    const edges = [
      ...new Set([this.start, this.now, ...periods.flat(), ...checks.flatMap(({ at }) => [at, at + WATCHED_MS])]),
    ]
      .filter((edge) => edge >= this.start && edge <= this.now)
      .sort((a, b) => a - b);
    for (const [index, from] of edges.entries()) {
      const length = ((edges[index + 1] ?? from) - from) / 1000;
      if (covers(periods, from)) seconds.maintenance += length;
      else {
        const last = checks.findLast(({ at }) => at <= from);
        if (last && from < last.at + WATCHED_MS) seconds[last.isUp ? 'up' : 'down'] += length;
      }
    }
    return seconds;
  }

  async measured() {
    const state = await readState(this.monitor.id);
    const watched = { ...this.monitor, lastCheckedAt: state.lastCheckedAt };
    const range = { from: new Date(this.start), to: new Date(this.now) };
    const known = await readKnown(db, [watched], [{ num: this.monitor.num, ...range, grids: [] }]);
    const all = known.get(this.monitor.num);
    if (!all) throw new Error('The monitor has no history.');
    const { up, down, maintenance } = timeIn(all, range);
    return { up: up / 1000, down: down / 1000, maintenance: maintenance / 1000 };
  }

  remove = () => db.team.delete({ where: { id: this.teamId } });
}

afterAll(() => db.team.deleteMany());

describe('maintenance by a clock of its own', () => {
  it.each([
    ['spring', Date.parse('2026-03-28T05:00:00Z')],
    ['autumn', Date.parse('2026-10-24T05:00:00Z')],
  ])(
    'opens nothing inside and counts to the second over the change of the clock in %s',
    { timeout: LIMIT_MS + 30_000 },
    async (_season, start) => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyOp, { minLength: 10, maxLength: 60 }), async (ops) => {
          const simulation = await Simulation.make(start);
          try {
            for (const op of ops) {
              if (simulation.now > start + (DAYS - 14) * DAY) break;
              await simulation.run(op);
            }
            await planAhead({ at: new Date(simulation.now) });
            expect(await simulation.measured()).toEqual(simulation.expected());
          } finally {
            await simulation.remove();
          }
        }),
        // Ends the search for a smaller counterexample early enough to report the current one.
        { numRuns: RUNS, interruptAfterTimeLimit: LIMIT_MS, examples: EXAMPLES },
      );
    },
  );
});
