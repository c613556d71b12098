import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { z } from 'zod';
import { env } from '@/server/platform/env';
import { type KeyValue, kv } from '@/server/platform/kv';
import { log } from '@/server/platform/log';
import type { PublicPage } from '../read-public-page';
import { PublicStatusPage } from '../schema';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** How long a shared snapshot is kept, for times when the database is unavailable. */
const SHARED_SECONDS = 86_400;

/** A cached page. The same object is returned until its content changes. */
export interface Snapshot extends PublicPage {
  /** When the read started, in ms since the epoch, by the clock of this process. */
  readAt: number;
}

const Shared = z.strictObject({
  page: PublicStatusPage,
  teamId: z.string(),
  logoKey: z.string().nullable(),
  readAt: z.number(),
});

/** The store in which processes share snapshots. Null if the key-value store is the database, because it would be as slow as reading the page. */
export const sharedStore: KeyValue | null = env.upstash ? kv : null;

export function snapshotKey(slug: string): string {
  return `status-page:${slug}`;
}

/** Reads the snapshot that another process stored, or this one before a restart. Null if there is none, or the store is unavailable. */
export async function readShared(store: KeyValue | null, slug: string): Promise<Snapshot | null> {
  if (!store) return null;
  try {
    const text = await store.get(snapshotKey(slug));
    if (text === null) return null;
    return Shared.parse(JSON.parse((await decompress(Buffer.from(text, 'base64'))).toString()));
  } catch (error) {
    log.debug({ err: error }, 'A shared status page could not be read');
    return null;
  }
}

/** Stores a snapshot for other processes. Removes it if the page was dropped in between. */
export async function writeShared(
  store: KeyValue | null,
  slug: string,
  snapshot: Snapshot,
  isKept: () => boolean,
): Promise<void> {
  if (!store) return;
  try {
    const text = (await compress(JSON.stringify(snapshot))).toString('base64');
    await store.set(snapshotKey(slug), text, { ttlSeconds: SHARED_SECONDS });
    if (!isKept()) await deleteShared(store, slug);
  } catch (error) {
    log.debug({ err: error }, 'A status page could not be shared');
  }
}

export async function deleteShared(store: KeyValue | null, slug: string): Promise<void> {
  await store?.del(snapshotKey(slug)).catch(() => undefined);
}
