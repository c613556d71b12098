import { expect, it, vi } from 'vitest';
import { Logos } from '@/server/api/status-server/logos';
import type { StoredObject } from '@/server/platform/storage/object-storage';

const KIB = 1024;
const keyOf = (upload: number) => `status-pages/page/${upload}.png`;

/** Logos of a storage in which each object has the same size. */
function logosOf(size: number) {
  const get = vi.fn(
    async (_key: string): Promise<StoredObject | null> => ({ bytes: new Uint8Array(size), contentType: 'image/png' }),
  );
  return { logos: new Logos({ get }), get };
}

it('reads a logo once for all requests, also for concurrent ones', async () => {
  const { logos, get } = logosOf(512 * KIB);
  const found = await Promise.all(Array.from({ length: 100 }, () => logos.get(keyOf(1))));
  found.push(await logos.get(keyOf(1)));
  expect(get).toHaveBeenCalledTimes(1);
  expect(new Set(found).size).toBe(1);
  expect(found[0]).toMatchObject({ type: 'image/png', etag: '"1"' });
});

it('keeps at most 16 MiB of logos', async () => {
  const { logos, get } = logosOf(512 * KIB);
  for (let upload = 0; upload < 33; upload += 1) await logos.get(keyOf(upload));
  get.mockClear();
  for (let upload = 32; upload > 0; upload -= 1) await logos.get(keyOf(upload));
  expect(get).not.toHaveBeenCalled();
  await logos.get(keyOf(0));
  expect(get).toHaveBeenCalledTimes(1);
});

it('keeps at most 200 small logos, which do not count as the largest ones', async () => {
  const { logos, get } = logosOf(KIB);
  for (let upload = 0; upload <= 200; upload += 1) await logos.get(keyOf(upload));
  get.mockClear();
  await logos.get(keyOf(200));
  await logos.get(keyOf(1));
  expect(get).not.toHaveBeenCalled();
  await logos.get(keyOf(0));
  expect(get).toHaveBeenCalledTimes(1);
});

it('reads a logo again after a failed read, and after none was found', async () => {
  const { logos, get } = logosOf(KIB);
  get.mockRejectedValueOnce(new Error('The storage is away.'));
  await expect(logos.get(keyOf(1))).rejects.toThrow('The storage is away.');
  get.mockResolvedValueOnce(null);
  expect(await logos.get(keyOf(1))).toBeNull();
  expect(await logos.get(keyOf(1))).toMatchObject({ type: 'image/png' });
});
