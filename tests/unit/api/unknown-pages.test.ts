import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { UnknownPages } from '@/server/api/status-server/unknown-pages';
import type { Snapshot } from '@/server/status-pages/snapshots/shared-snapshots';

const LIMIT = 600;
const BURST = 120;
const from = (address: string) => ({ headers: { 'x-upwatch-address': address } });

// A bucket gets a token every 100 ms, which the requests of a test may take.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** Pages of which only `shop` exists; counts the reads. */
function pages() {
  const read: string[] = [];
  const get = async (slug: string) => {
    read.push(slug);
    return slug === 'shop' ? ({ page: {} } as Snapshot) : null;
  };
  return { read, unknown: new UnknownPages({ get }, LIMIT) };
}

it('refuses further unknown pages of a network before they are read', async () => {
  const { read, unknown } = pages();
  for (let each = 0; each < BURST; each += 1) expect(await unknown.find(from('10.0.0.1'), `no-${each}`)).toBeNull();
  await expect(unknown.find(from('10.0.0.1'), 'no-more')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect(read).not.toContain('no-more');
  expect(await unknown.find(from('10.0.0.2'), 'no-more')).toBeNull();
});

it('counts no pages that exist', async () => {
  const { read, unknown } = pages();
  for (let each = 0; each < 3 * BURST; each += 1) expect(await unknown.find(from('10.0.0.1'), 'shop')).not.toBeNull();
  expect(read).toHaveLength(3 * BURST);
});
