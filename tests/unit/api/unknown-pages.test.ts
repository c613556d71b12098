import { expect, it } from 'vitest';
import { UnknownPages } from '@/server/api/status-server/unknown-pages';
import type { Snapshot } from '@/server/status-pages/snapshots/shared-snapshots';

const LIMIT = 600;
const BURST = 120;
const from = (address: string) => ({ headers: { 'x-upwatch-address': address } });

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
