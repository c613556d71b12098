import { describe, expect, it } from 'vitest';
import { FairPool, type FairPoolOptions } from '@/server/platform/fair-pool';

/** Work that counts its concurrent runs and ends on request. */
function workshop() {
  const ends: (() => void)[] = [];
  const counts = { running: 0, most: 0, done: 0 };
  const work = async () => {
    counts.running += 1;
    counts.most = Math.max(counts.most, counts.running);
    await new Promise<void>((resolve) => ends.push(resolve));
    counts.running -= 1;
    counts.done += 1;
  };
  const endOne = async () => {
    ends.shift()?.();
    await settle();
  };
  const endAll = async () => {
    while (ends.length > 0) await endOne();
  };
  return { counts, work, endOne, endAll };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));
const pool = (options: Omit<FairPoolOptions, 'kind'>) => new FairPool({ kind: 'test', ...options });
const hostsOf = (count: number, prefix = 'host') => Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

describe('FairPool', () => {
  it('limits concurrent work per host, and completes all of it', async () => {
    const { counts, work, endAll } = workshop();
    const slots = pool({ slots: 10, perHost: 2 });
    const all = Promise.all(Array.from({ length: 7 }, () => slots.run({ team: 'team', host: 'a' }, work)));
    await settle();
    expect(counts.running).toBe(2);
    await endAll();
    await all;
    expect(counts).toEqual({ running: 0, most: 2, done: 7 });
  });

  it('limits concurrent work in total', async () => {
    const { counts, work, endAll } = workshop();
    const slots = pool({ slots: 3, perHost: 2 });
    const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map((host) => slots.run({ team: host, host }, work)));
    await settle();
    expect(counts.running).toBe(3);
    await endAll();
    await all;
    expect(counts).toEqual({ running: 0, most: 3, done: 5 });
  });

  it('keeps a hanging host from blocking another host of the same team', async () => {
    const hung = workshop();
    const quick = workshop();
    const slots = pool({ slots: 10, perHost: 2 });
    const waiting = Promise.all(
      Array.from({ length: 30 }, () => slots.run({ team: 'team', host: 'hangs' }, hung.work)),
    );
    const other = slots.run({ team: 'team', host: 'answers' }, quick.work);
    await settle();
    await quick.endAll();
    await other;
    expect(quick.counts.done).toBe(1);
    expect(hung.counts.running).toBe(2);
    await hung.endAll();
    await waiting;
  });

  it('gives a team that is alone all slots but an eighth, so that a new team never waits for work that hangs', async () => {
    const hung = workshop();
    const quick = workshop();
    const slots = pool({ slots: 16, perHost: 2 });
    const all = Promise.all(hostsOf(30).map((host) => slots.run({ team: 'only', host }, hung.work)));
    await settle();
    expect(hung.counts.running).toBe(14);
    const newcomer = slots.run({ team: 'newcomer' }, quick.work);
    await settle();
    expect(quick.counts.running).toBe(1);
    await quick.endAll();
    await newcomer;
    await hung.endAll();
    await all;
    expect(hung.counts.done).toBe(30);
  });

  it('gives a team that is alone both of two slots', async () => {
    const { counts, work, endAll } = workshop();
    const slots = pool({ slots: 2 });
    const all = Promise.all(hostsOf(3).map((host) => slots.run({ team: 'only', host }, work)));
    await settle();
    expect(counts.running).toBe(2);
    await endAll();
    await all;
  });

  it('gives a team at most half of the slots while another is present, and most once that one is gone', async () => {
    const hung = workshop();
    const quick = workshop();
    let now = 0;
    const slots = pool({ slots: 10, perHost: 2, now: () => now });
    const other = (host: string) => slots.run({ team: 'other', host }, quick.work);
    const first = other('a');
    const waiting = Promise.all(hostsOf(30, 'hangs').map((host) => slots.run({ team: 'unlucky', host }, hung.work)));
    const others = Promise.all(['hangs-0', 'b'].map(other));
    await settle();
    expect([hung.counts.running, quick.counts.running]).toEqual([5, 3]);
    await quick.endAll();
    await Promise.all([first, others]);
    expect(hung.counts.running).toBe(5);
    now = 10 * 60_000;
    const late = slots.run({ team: 'unlucky', host: 'late' }, hung.work);
    await hung.endAll();
    await Promise.all([waiting, late]);
    expect(hung.counts).toEqual({ running: 0, most: 9, done: 31 });
  });

  it('keeps a slot free for a new team, however many teams hang', async () => {
    const hung = workshop();
    const slots = pool({ slots: 20 });
    const waiting = hostsOf(30).flatMap((host) =>
      hostsOf(10, 'team').map((team) => slots.run({ team, host }, hung.work)),
    );
    await settle();
    const quick = workshop();
    const newcomer = slots.run({ team: 'newcomer' }, quick.work);
    await settle();
    expect(quick.counts.running).toBe(1);
    await quick.endAll();
    await newcomer;
    await hung.endAll();
    await Promise.all(waiting);
  });

  it('gives a free slot to the team that holds the fewest, whatever the length of its queue', async () => {
    const order: string[] = [];
    const gate = workshop();
    const slots = pool({ slots: 1 });
    const first = slots.run({ team: 'gate' }, gate.work);
    const record = (team: string) => slots.run({ team }, async () => void order.push(team));
    const rest = [record('busy'), record('busy'), record('busy'), record('quiet')];
    await settle();
    await gate.endAll();
    await Promise.all([first, ...rest]);
    expect(order.indexOf('quiet')).toBeLessThan(2);
  });

  it('serves next the team whose work has taken the least time', async () => {
    let now = 0;
    const order: string[] = [];
    const slots = pool({ slots: 1, now: () => now });
    const work = (team: string, ms: number) =>
      slots.run({ team }, async () => {
        order.push(team);
        now += ms;
      });
    await Promise.all([
      ...Array.from({ length: 3 }, () => work('slow', 500)),
      ...Array.from({ length: 4 }, () => work('fast', 10)),
    ]);
    expect(order).toEqual(['slow', 'fast', 'fast', 'fast', 'fast', 'slow', 'slow']);
  });

  it('reports the time in the queue, not the run time', async () => {
    let now = 0;
    const waits: number[] = [];
    const slots = pool({ slots: 1, now: () => now, onWait: (ms) => waits.push(ms) });
    const work = async () => {
      now += 40;
    };
    await Promise.all([slots.run({ team: 'a' }, work), slots.run({ team: 'a' }, work)]);
    expect(waits).toEqual([0, 40]);
  });

  it('removes work whose signal aborts from the queue', async () => {
    const { counts, work, endAll } = workshop();
    const slots = pool({ slots: 1 });
    const stop = new AbortController();
    const running = slots.run({ team: 'a' }, work);
    const waiting = slots.run({ team: 'a' }, work, stop.signal);
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    expect(slots.waiting).toBe(0);
    await endAll();
    await running;
    expect(counts.done).toBe(1);
  });

  it('rejects instead of queueing on request', async () => {
    const { work, endAll } = workshop();
    const slots = pool({ slots: 1 });
    const running = slots.tryRun({ team: 'a' }, work);
    expect(running).not.toBeNull();
    expect(slots.tryRun({ team: 'a' }, work)).toBeNull();
    expect(slots.tryRun({ team: 'b' }, work)).toBeNull();
    await endAll();
    await running;
    const again = slots.tryRun({ team: 'b' }, work);
    expect(again).not.toBeNull();
    await endAll();
    await again;
  });

  it('releases its slot when work throws', async () => {
    const slots = pool({ slots: 1 });
    await expect(slots.run({ team: 'team' }, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(slots.run({ team: 'team' }, () => Promise.resolve())).resolves.toBeUndefined();
  });
});
