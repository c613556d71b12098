import { describe, expect, it } from 'vitest';
import {
  type Held,
  holdCertificate,
  holdInMaintenance,
  type MaintenanceState,
} from '@/server/checks/verdict/maintenance';
import { transition } from '@/server/checks/verdict/transition';
import type { Policy, Seen, WatchState } from '@/server/checks/verdict/types';
import { degraded, down, policy, second, state, unknown, up } from '../watching';

type Before = WatchState & MaintenanceState;

/** In maintenance from second 0 to 600. */
const window = { maintenance: [second(0), second(600)], checkPauses: [], held: null };

/** Runs checks one after the other. @returns what each told, as short texts, and what the last came to */
function run(start: Partial<Before>, checks: Seen[], rules: Partial<Policy> = {}) {
  let now: Before = { ...state(), ...window, ...start };
  const told: string[] = [];
  let dueAt: Date | null = null;
  for (const seen of checks) {
    const moment = { at: seen.at, now: new Date(seen.at.getTime() + 100) };
    const all = { ...policy, ...rules };
    const { change, held } = holdInMaintenance(now, (from) => transition(from, seen, all, moment.now), moment, all);
    for (const each of change.incidents.filter(({ kind }) => kind !== 'hold')) {
      const at = each.kind === 'open' ? each.startedAt : 'at' in each ? each.at : each.resolvedAt;
      const what = each.kind === 'open' ? `open ${each.type}` : each.kind;
      told.push(
        `${what} of ${(at.getTime() - second(0).getTime()) / 1000} at ${(seen.at.getTime() - second(0).getTime()) / 1000}`,
      );
    }
    now = { ...now, ...change.state, held };
    dueAt = change.dueAt;
  }
  return { told, now, dueAt };
}

const isDown = { status: 'down', statusSince: second(-300), openIncident: 'downtime' } as const;

describe('holdInMaintenance', () => {
  it.each<[string, Partial<Before>, Seen[], string[]]>([
    ['opens nothing inside', {}, [down(60), down(62), down(120)], []],
    ['opens nothing for a check that began inside and ended after it', {}, [down(60), down(62), down(599.95)], []],
    [
      'opens after the end what still fails, with its true start',
      {},
      [down(60), down(62), down(601)],
      ['open downtime of 60 at 601'],
    ],
    ['opens nothing for what recovered inside', {}, [down(60), down(62), up(120), up(601)], []],
    ['opens nothing for what recovers with the first check after the end', {}, [down(60), down(62), up(601)], []],
    [
      'opens what first fails after the end as ever',
      {},
      [up(60), up(120), up(599), down(640), down(642)],
      ['open downtime of 640 at 642'],
    ],
    [
      'does not take a failure before the end for a confirmed one',
      {},
      [up(540), down(599), down(601)],
      ['open downtime of 599 at 601'],
    ],
    ['holds an open incident that recovers inside until the end', isDown, [up(60), up(120)], []],
    ['resolves it after the end with its true time', isDown, [up(60), up(120), up(601)], ['resolve of 60 at 601']],
    ['goes on with it where it fails again inside', isDown, [up(60), down(120), down(122), down(601)], []],
    ['goes on with it where it never recovers', isDown, [down(60), down(601)], []],
    ['resolves it where it recovers after the end', isDown, [down(60), down(601), up(661)], ['resolve of 661 at 661']],
    ['waits for a known status after the end', {}, [down(60), down(62), unknown(601)], []],
    [
      'tells it once the status is known',
      {},
      [down(60), down(62), unknown(601), down(661), down(663)],
      ['open downtime of 60 at 661'],
    ],
    [
      'tells slowness that goes on after the end, with its true start',
      {},
      [degraded(60), degraded(120), degraded(180), degraded(601)],
      ['open degraded of 60 at 601'],
    ],
    [
      'replaces the incident of a slow monitor that went down inside',
      { status: 'degraded', openIncident: 'degraded' },
      [down(60), down(62), down(601)],
      ['supersede of 60 at 601', 'open downtime of 60 at 601'],
    ],
    [
      'resolves the incident of a slow monitor that went down inside and recovered',
      { status: 'degraded', openIncident: 'degraded' },
      [down(60), down(62), up(120), up(601)],
      ['resolve of 120 at 601'],
    ],
    [
      'holds what a check before the start finds where its result is taken inside',
      { failures: 1, turnedAt: second(-2), lastCheckedAt: second(-2) },
      [down(-0.05)],
      [],
    ],
  ])('%s', (_name, before, checks, expected) => {
    expect(run(before, checks).told).toEqual(expected);
  });

  it('goes on with the status beneath', () => {
    expect(run({}, [down(60), down(62)]).now).toMatchObject({ status: 'down', statusSince: second(60) });
  });

  it('looks at the end of the window where something is held', () => {
    const rules = { intervalSeconds: 3600, watchedForMs: 7_210_000 };
    const { dueAt } = run({}, [down(60), down(62)], rules);
    expect(dueAt?.getTime()).toBe(second(600).getTime() + 50);
    expect(run({}, [up(60)], rules).dueAt).not.toEqual(dueAt);
  });

  it('checks next after a stretch without checks, within 10 s of its end', () => {
    const { dueAt } = run({ checkPauses: [second(0), second(600)] }, [up(-1)]);
    expect(dueAt?.getTime()).toBeGreaterThanOrEqual(second(600).getTime());
    expect(dueAt?.getTime()).toBeLessThanOrEqual(second(610).getTime());
  });

  it('does not take a change inside for the one that makes flapping', () => {
    const changes = [-200, -150, -100, -50].map(second);
    expect(run({ changes }, [down(60), down(62)]).now).toMatchObject({ steadySince: null, changes });
  });

  it('does not count changes inside as flapping', () => {
    const bumpy = [30, 60, 90, 120, 150, 180].flatMap((at, index) => (index % 2 ? [up(at)] : [down(at), down(at + 2)]));
    const { now } = run({}, [...bumpy, up(601), down(661), down(663)]);
    expect(now).toMatchObject({ steadySince: null, changes: [second(661)] });
  });

  it('does not start flapping inside', () => {
    const rules = { recoveries: 4, retryDelayMs: 10_000, countsRelapses: true };
    const { told, now } = run({ ...isDown, changes: [second(-300)] }, [up(60), up(70), up(80), down(90)], rules);
    expect(told).toEqual([]);
    expect(now).toMatchObject({ status: 'down', steadySince: null, changes: [second(-300)] });
  });

  it('leaves a monitor without maintenance exactly as it decides', () => {
    const before = { ...state(), maintenance: [], checkPauses: [], held: null };
    const moment = { at: second(0), now: second(0.1) };
    const plain = transition(before, down(0), policy, moment.now);
    const decided = holdInMaintenance(before, () => plain, moment, policy);
    expect(decided).toEqual({ change: plain, held: null });
  });

  it('holds on while passing checks of a downtime are counted, even those of a doubled row', () => {
    const open = { kind: 'open', type: 'downtime', startedAt: second(60), cause: 'Connection refused' } as const;
    const held: Held = { told: null, resolve: null, open };
    const counting = { ...isDown, held, recoveries: -4, lastCheckedAt: second(590) };
    expect(run(counting, [up(601)], { recoveries: 4 }).told).toEqual([]);
    expect(run(counting, [up(601), down(611)], { recoveries: 4 }).told).toEqual(['open downtime of 60 at 611']);
  });

  it('forgets what it held once it is told', () => {
    const held: Held = { told: 'downtime', resolve: null, open: null };
    expect(run({ ...isDown, held, lastCheckedAt: second(590) }, [down(601)]).now.held).toBeNull();
  });
});

describe('holdCertificate', () => {
  const before = { certificate: null, certificateWarned: false, ...window };
  const warned = {
    state: { certificate: null, certificateWarned: true },
    change: { kind: 'warn', cause: '' } as const,
  };

  it('warns of nothing inside, so that the first check after the end does', () => {
    const inside = holdCertificate(before, warned, { at: second(60), now: second(61) });
    expect(inside).toEqual({ state: { certificate: null, certificateWarned: false }, change: null });
    expect(holdCertificate(before, warned, { at: second(600), now: second(601) })).toEqual(warned);
  });
});
