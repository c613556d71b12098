import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DatabaseUnreachableError } from '@/server/platform/database/database-away';
import type { KeyValue } from '@/server/platform/kv';
import type { PublicPage } from '@/server/status-pages/read-public-page';
import { Snapshots } from '@/server/status-pages/snapshots/snapshots';
import { page } from './pages';

let now: number;
let title: string;
let read: ReturnType<typeof vi.fn<(slug: string) => Promise<PublicPage | null>>>;

const found = (): PublicPage => ({ page: page({ title, version: title }), teamId: 'team', logoKey: null });
const titleOf = async (snapshots: Snapshots, slug = 'shop') => (await snapshots.get(slug))?.page.title;
const settle = () => setTimeout(5);

function make(store: KeyValue | null = null): Snapshots {
  return new Snapshots({ read, store, now: () => now });
}

beforeEach(() => {
  now = 1_000_000;
  title = 'first';
  read = vi.fn(async () => found());
});

describe('status page snapshots', () => {
  it('reads a snapshot once for concurrent requests, and serves none older than 1 s', async () => {
    const snapshots = make();
    await Promise.all(Array.from({ length: 100 }, () => snapshots.get('shop')));
    expect(read).toHaveBeenCalledTimes(1);
    title = 'second';
    now += 400;
    expect(await titleOf(snapshots)).toBe('first');
    expect(read).toHaveBeenCalledTimes(1);
    now += 700;
    expect(await titleOf(snapshots)).toBe('second');
  });

  it('have 10,000 components in all, those of the pages that were requested last', async () => {
    const [component] = page({}).components;
    const components = Array.from({ length: 400 }, () => component).flatMap((each) => each ?? []);
    const large = page({ components });
    read.mockImplementation(async () => ({ page: large, teamId: 'team', logoKey: null }));
    const snapshots = new Snapshots({ read: (slug) => read(slug), store: null, now: () => now });
    const slugs = Array.from({ length: 30 }, (_, index) => `shop-${index}`);
    for (const slug of slugs) await snapshots.get(slug);
    expect(read).toHaveBeenCalledTimes(30);
    for (const slug of slugs.slice(5)) await snapshots.get(slug);
    expect(read).toHaveBeenCalledTimes(30);
    await snapshots.get('shop-4');
    expect(read).toHaveBeenCalledTimes(31);
  });

  it('reads evicted pages of one team one after another too', async () => {
    const [component] = page({}).components;
    const components = Array.from({ length: 400 }, () => component).flatMap((each) => each ?? []);
    let [running, most] = [0, 0];
    const snapshots = new Snapshots({
      read: async () => {
        running += 1;
        most = Math.max(most, running);
        await setTimeout(2);
        running -= 1;
        return { page: page({ components }), teamId: 'team', logoKey: null };
      },
      store: null,
      now: () => now,
    });
    const slugs = Array.from({ length: 30 }, (_, index) => `shop-${index}`);
    for (const slug of slugs) await snapshots.get(slug);
    most = 0;
    await Promise.all(slugs.map((slug) => snapshots.get(slug)));
    expect(most).toBe(1);
  });

  it('reads snapshots of one team one after another, and rests four times as long as reading took', async () => {
    const snapshots = new Snapshots({ read, store: null });
    await Promise.all([snapshots.get('shop'), snapshots.get('blog')]);
    await setTimeout(600);
    const reads: [string, 'from' | 'to', number][] = [];
    const from = performance.now();
    read.mockImplementation(async (slug) => {
      reads.push([slug, 'from', performance.now() - from]);
      await setTimeout(50);
      reads.push([slug, 'to', performance.now() - from]);
      return found();
    });
    for (const slug of ['shop', 'blog', 'shop']) await snapshots.get(slug);
    await vi.waitFor(() => expect(reads).toHaveLength(4));
    expect(reads.map(([slug, what]) => `${what} ${slug}`)).toEqual(['from shop', 'to shop', 'from blog', 'to blog']);
    const [, end = 0, next = 0] = reads.map(([, , at]) => at);
    // The clock of the rest counts whole milliseconds.
    expect(next - end).toBeGreaterThanOrEqual(190);
  });

  it('refreshes snapshots in the background before they are 1 s old', async () => {
    const snapshots = make();
    await snapshots.get('shop');
    title = 'second';
    now += 600;
    expect(await titleOf(snapshots)).toBe('first');
    await settle();
    expect(await titleOf(snapshots)).toBe('second');
  });

  it('drops a snapshot at once if the page changes, also while it is being read', async () => {
    const snapshots = make();
    await snapshots.get('shop');
    title = 'second';
    snapshots.drop('other team');
    expect(await titleOf(snapshots)).toBe('first');
    snapshots.drop('team');
    let end: (value: PublicPage) => void = () => undefined;
    read.mockReturnValueOnce(new Promise((resolve) => (end = resolve)));
    const reading = titleOf(snapshots);
    await settle();
    const old = found();
    title = 'third';
    snapshots.drop('team');
    end(old);
    expect(await reading).toBe('third');
  });

  it('never contain a page that has become private, and are not cached for unknown slugs', async () => {
    const snapshots = make();
    await snapshots.get('shop');
    read.mockResolvedValue(null);
    now += 1_000;
    expect(await snapshots.get('shop')).toBeNull();
    expect(await snapshots.get('../api')).toBeNull();
    expect(await snapshots.get('nobody')).toBeNull();
    expect(read).toHaveBeenCalledTimes(3);
  });

  it('refreshes a snapshot when an incident changes, without a request', async () => {
    const snapshots = make();
    await snapshots.get('shop');
    snapshots.outdate('team', { isIncident: false });
    snapshots.outdate('other team', { isIncident: true });
    expect(read).toHaveBeenCalledTimes(1);
    snapshots.outdate('team', { isIncident: true });
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('stay while the database is down, are retried once a second, and end with their page', async () => {
    const snapshots = make();
    await snapshots.get('shop');
    read.mockRejectedValue(new DatabaseUnreachableError('away'));
    now += 60_000;
    const [kept, unknown] = await Promise.allSettled([snapshots.get('shop'), snapshots.get('other')]);
    expect(kept).toMatchObject({ status: 'fulfilled', value: { page: { title: 'first' } } });
    expect(unknown.status).toBe('rejected');
    read.mockClear();
    for (let asked = 0; asked < 100; asked += 1) await snapshots.get('shop');
    expect(read).not.toHaveBeenCalled();
    now += 1_000;
    const [old] = [await snapshots.get('shop')];
    expect(old && snapshots.ageOf(old)).toBe(61_000);
    await settle();
    expect(read).toHaveBeenCalledTimes(1);
    read.mockImplementation(async () => null);
    now += 1_000;
    await snapshots.get('shop');
    await settle();
    expect(await snapshots.get('shop')).toBeNull();
  });

  it('stay while reading hangs', async () => {
    const snapshots = make();
    await snapshots.get('shop');
    read.mockReturnValue(new Promise(() => undefined));
    now += 5_000;
    expect(await titleOf(snapshots)).toBe('first');
  });

  it('returns the same snapshot while the page does not change', async () => {
    const snapshots = make();
    const first = await snapshots.get('shop');
    now += 2_000;
    const second = await snapshots.get('shop');
    expect(second).toBe(first);
    expect(second && snapshots.ageOf(second)).toBe(0);
  });
});

describe('status page snapshots in a shared store', () => {
  function memory(): KeyValue & { kept: Map<string, string> } {
    const kept = new Map<string, string>();
    return {
      kept,
      get: async (key: string) => kept.get(key) ?? null,
      set: async (key: string, value: string) => void kept.set(key, value),
      del: async (key: string) => void kept.delete(key),
    } as unknown as KeyValue & { kept: Map<string, string> };
  }

  it('save another process the reading for 1 s, and are served while the database is down', async () => {
    const store = memory();
    await make(store).get('shop');
    await vi.waitFor(() => expect(store.kept.size).toBe(1));
    title = 'second';
    expect(await titleOf(make(store))).toBe('first');
    expect(read).toHaveBeenCalledTimes(1);
    now += 90_000;
    read.mockRejectedValue(new DatabaseUnreachableError('away'));
    const third = make(store);
    const kept = await third.get('shop');
    expect(kept && [kept.page.title, third.ageOf(kept)]).toEqual(['first', 90_000]);
  });

  it('removes snapshots in a shared store when their page changes', async () => {
    const store = memory();
    const snapshots = make(store);
    await snapshots.get('shop');
    await vi.waitFor(() => expect(store.kept.size).toBe(1));
    snapshots.drop('team');
    await vi.waitFor(() => expect(store.kept.size).toBe(0));
  });
});
