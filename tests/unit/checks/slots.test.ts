import { describe, expect, it } from 'vitest';
import { Slots } from '@/server/checks/slots';

/** Work that counts how many of it run at once, and ends when told. */
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
  const endAll = async () => {
    while (ends.length > 0) {
      ends.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { counts, work, endAll };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('Slots', () => {
  it('runs so many of one host at once, and all in the end', async () => {
    const { counts, work, endAll } = workshop();
    const slots = new Slots(10, 2);
    const all = Promise.all(Array.from({ length: 7 }, () => slots.run('team', 'a', work)));
    await settle();
    expect(counts.running).toBe(2);
    await endAll();
    await all;
    expect(counts).toEqual({ running: 0, most: 2, done: 7 });
  });

  it('runs so many in all at once', async () => {
    const { counts, work, endAll } = workshop();
    const slots = new Slots(3, 2);
    const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map((host) => slots.run(host, host, work)));
    await settle();
    expect(counts.running).toBe(3);
    await endAll();
    await all;
    expect(counts).toEqual({ running: 0, most: 3, done: 5 });
  });

  it('does not let a host that hangs hold up another', async () => {
    const hung = workshop();
    const quick = workshop();
    const slots = new Slots(10, 2);
    const waiting = Promise.all(Array.from({ length: 30 }, () => slots.run('team', 'hangs', hung.work)));
    const other = slots.run('team', 'answers', quick.work);
    await settle();
    await quick.endAll();
    await other;
    expect(quick.counts.done).toBe(1);
    expect(hung.counts.running).toBe(2);
    await hung.endAll();
    await waiting;
  });

  it('gives a team that is alone everything', async () => {
    const { counts, work, endAll } = workshop();
    const slots = new Slots(10, 2);
    const hosts = Array.from({ length: 30 }, (_, index) => `host-${index}`);
    const all = Promise.all(hosts.map((host) => slots.run('only', host, work)));
    await settle();
    expect(counts.running).toBe(10);
    await endAll();
    await all;
    expect(counts).toEqual({ running: 0, most: 10, done: 30 });
  });

  it('leaves the other half to others when a team’s hosts hang', async () => {
    const hung = workshop();
    const quick = workshop();
    let now = 0;
    const slots = new Slots(10, 2, () => now);
    const other = (host: string) => slots.run('other', host, quick.work);
    const first = other('a');
    const hosts = Array.from({ length: 30 }, (_, index) => `hangs-${index}`);
    const waiting = Promise.all(hosts.map((host) => slots.run('unlucky', host, hung.work)));
    const others = Promise.all(['hangs-0', 'b', 'c'].map(other));
    await settle();
    expect([hung.counts.running, quick.counts.running]).toEqual([5, 4]);
    await quick.endAll();
    await Promise.all([first, others]);
    expect(hung.counts.running).toBe(5);
    // The other team has not come for a while: the next that ends makes room for all that wait.
    now = 10 * 60_000;
    const late = slots.run('unlucky', 'late', hung.work);
    await hung.endAll();
    await Promise.all([waiting, late]);
    expect(hung.counts).toEqual({ running: 0, most: 10, done: 31 });
  });

  it('gives its place back when work throws', async () => {
    const slots = new Slots(1, 1);
    await expect(slots.run('team', 'a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(slots.run('team', 'a', () => Promise.resolve())).resolves.toBeUndefined();
  });
});
