import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '@/server/platform/ids';
import { FileStorage } from '@/server/platform/storage/files';
import type { ObjectStorage } from '@/server/platform/storage/object-storage';
import { S3Storage } from '@/server/platform/storage/s3';
import { type S3Server, startS3 } from '@/tests/support/providers/s3';

let directory: string;
let s3: S3Server;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'upwatch-objects-'));
  s3 = await startS3();
});
afterAll(async () => {
  await s3.close();
  await rm(directory, { recursive: true, force: true });
});

const implementations: Record<string, () => ObjectStorage> = {
  files: () => new FileStorage(directory),
  s3: () => new S3Storage(s3.settings),
};

const png = { contentType: 'image/png' };
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text));

describe.each(Object.entries(implementations))('object storage in %s', (_name, create) => {
  let storage: ObjectStorage;
  beforeAll(() => {
    storage = create();
  });

  it('lists every key, and nothing else', async () => {
    const folder = `lists/${newId()}`;
    const keys = [`${folder}/a.png`, `${folder}/a/b.json`, `${folder}/c/d/e`];
    for (const key of keys) await storage.put(key, bytesOf('x'), png);
    await storage.del(`${folder}/c/d/e`);
    const found: string[] = [];
    for await (const key of storage.list()) if (key.startsWith(folder)) found.push(key);
    expect(found.sort()).toEqual(keys.slice(0, 2).sort());
  });

  it('returns bytes and content type', async () => {
    const key = `${newId()}/logo.png`;
    const bytes = Uint8Array.from({ length: 70_000 }, (_, n) => n % 256);
    await storage.put(key, bytes, png);
    expect(await storage.get(key)).toEqual({ bytes, contentType: 'image/png' });
  });

  it('stores an empty object', async () => {
    const key = newId();
    await storage.put(key, new Uint8Array(), { contentType: 'text/plain' });
    expect((await storage.get(key))?.bytes).toEqual(new Uint8Array());
  });

  it('returns nothing for a missing object', async () => {
    expect(await storage.get(`${newId()}/none`)).toBeNull();
  });

  it('replaces an object whole', async () => {
    const key = newId();
    await storage.put(key, bytesOf('a long first version'), png);
    await storage.put(key, bytesOf('short'), { contentType: 'text/plain' });
    expect(await storage.get(key)).toEqual({ bytes: bytesOf('short'), contentType: 'text/plain' });
  });

  it('deletes, also missing objects', async () => {
    const key = newId();
    await storage.put(key, bytesOf('x'), png);
    await storage.del(key);
    await storage.del(key);
    expect(await storage.get(key)).toBeNull();
  });

  it('distinguishes an object from a folder of the same name', async () => {
    const key = newId();
    await storage.put(key, bytesOf('object'), png);
    await storage.put(`${key}/inside`, bytesOf('inside'), png);
    expect(Buffer.from((await storage.get(key))?.bytes ?? []).toString()).toBe('object');
    await storage.deletePrefix(`${key}/`);
    expect(await storage.get(`${key}/inside`)).toBeNull();
    expect(await storage.get(key)).not.toBeNull();
  });

  it('deletes a folder and nothing beside it', async () => {
    const team = newId();
    await Promise.all([`${team}/a`, `${team}/b/c`, `${team}x/a`].map((key) => storage.put(key, bytesOf('x'), png)));
    await storage.deletePrefix(`${team}/`);
    await storage.deletePrefix(`${team}/`);
    expect(await storage.get(`${team}/a`)).toBeNull();
    expect(await storage.get(`${team}/b/c`)).toBeNull();
    expect(await storage.get(`${team}x/a`)).not.toBeNull();
  });

  it.each(['', '/', '../a', 'a/../b', 'a//b', '/a', 'a/', '.hidden', 'a\\b', 'a\0', 'a b', 'é', 'x'.repeat(513)])(
    'rejects the key %j',
    async (key) => {
      await expect(storage.put(key, bytesOf('x'), png)).rejects.toThrow(RangeError);
      await expect(storage.get(key)).rejects.toThrow(RangeError);
      await expect(storage.del(key)).rejects.toThrow(RangeError);
      await expect(storage.deletePrefix(key === 'a/' ? '/' : key)).rejects.toThrow(RangeError);
    },
  );
});

it('serves one whole file while ten are written', async () => {
  const storage = new FileStorage(directory);
  const key = `${newId()}/race`;
  const versions = Array.from({ length: 10 }, (_, n) => String(n).repeat(50_000));
  await storage.put(key, bytesOf(versions[0] ?? ''), png);
  const writes = Promise.all(versions.map((version) => storage.put(key, bytesOf(version), png)));
  for (let n = 0; n < 10; n++)
    expect(versions).toContain(Buffer.from((await storage.get(key))?.bytes ?? []).toString());
  await writes;
  expect(versions).toContain(Buffer.from((await storage.get(key))?.bytes ?? []).toString());
});

it('leaves no temporary files', async () => {
  const names = await readdir(directory, { recursive: true });
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => name.split('/').at(-1)?.startsWith('.'))).toEqual([]);
});

it('distinguishes a missing bucket from a missing object', async () => {
  const storage = new S3Storage({ ...s3.settings, bucket: 'another-bucket' });
  await expect(storage.put('key', bytesOf('x'), png)).rejects.toThrow(/bucket/i);
  await expect(storage.get('key')).rejects.toThrow(/bucket/i);
});
