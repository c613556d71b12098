import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { isDatabaseAway } from '@/server/platform/database-away';
import { db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { type KeyValue, kv } from '@/server/platform/kv';
import { listen } from '@/server/platform/listen';
import { log } from '@/server/platform/log';
import { type PublicPage, readPublicPage } from './read-public-page';
import { PublicStatusPage } from './schema';
import { isSlug } from './slug';

/** No answer is older, unless the database is away. */
const MOST_AGE_MS = 1_000;
/** From this age on a snapshot is made anew beside the answers, so that a page that many look at makes nobody wait. */
const RENEW_AGE_MS = 500;
/** A reading that takes longer is not waited for where there is something to show. */
const PATIENCE_MS = 1_000;
/** While the database is away, it is asked this often for each page. */
const RETRY_MS = 1_000;
/** How many pages a process keeps; the one that nobody asked for longest goes first. */
const MOST_PAGES = 500;
/** How long a shared reading stands in for the database where that is away. */
const SHARED_SECONDS = 86_400;

/** A page as it was read at one time. The same object is given out for as long as nothing on it changes. */
export interface Snapshot extends PublicPage {
  /** When the reading began, by this process's clock, in milliseconds since the epoch. */
  readAt: number;
}

interface Entry {
  snapshot: Snapshot | null;
  making: Promise<Snapshot | null> | null;
  /** When the reading that is under way began. */
  makingAt: number;
  /** When the last try failed because the database is away. */
  failedAt: number | null;
  /** Somebody changed what stands here since the reading began. */
  isOutdated: boolean;
}

const Shared = z.strictObject({
  page: PublicStatusPage,
  teamId: z.string(),
  logoKey: z.string().nullable(),
  readAt: z.number(),
});

function isSame(one: Snapshot, other: Snapshot): boolean {
  const { version, checkedAt } = other.page;
  return one.page.version === version && one.page.checkedAt === checkedAt && one.logoKey === other.logoKey;
}

/** Where processes share what they read of a page. */
export function snapshotKey(slug: string): string {
  return `status-page:${slug}`;
}

/** The store that processes share, if it is another than the database: what is in that is read as fast. */
const sharedStore: KeyValue | null = env.upstash ? kv : null;

interface Options {
  read?: (slug: string) => Promise<PublicPage | null>;
  store?: KeyValue | null;
  now?: () => number;
}

/**
 * The public status pages as they were last read, each at most a second ago. A page is read again when somebody asks for it,
 * at most once in half a second however many ask, and when an incident on it changes; other processes' changes to the page
 * itself drop it at once. While the database is away the last reading goes on to be given out.
 */
export class Snapshots {
  private readonly entries = new Map<string, Entry>();
  private readonly read: (slug: string) => Promise<PublicPage | null>;
  private readonly store: KeyValue | null;
  private readonly now: () => number;

  constructor({ read = (slug) => readPublicPage(db, slug), store = sharedStore, now = Date.now }: Options = {}) {
    this.read = read;
    this.store = store;
    this.now = now;
  }

  /**
   * The page under a slug, or null where strangers find none. Answers at once where what is kept may be given out.
   * @throws what reading throws, where nothing is kept
   */
  get(slug: string): Snapshot | null | Promise<Snapshot | null> {
    if (!isSlug(slug)) return null;
    const entry = this.entries.get(slug);
    if (!entry) return this.first(slug);
    this.entries.delete(slug);
    this.entries.set(slug, entry);
    const { snapshot } = entry;
    if (!snapshot) return this.make(slug, entry);
    const age = this.ageOf(snapshot);
    const isSlow = entry.making !== null && this.now() - entry.makingAt > PATIENCE_MS;
    if (age >= MOST_AGE_MS && entry.failedAt === null && !isSlow) return this.renewed(slug, entry, snapshot);
    if (age >= RENEW_AGE_MS || entry.isOutdated) this.renew(slug, entry);
    return snapshot;
  }

  /** How old a snapshot is, in milliseconds. */
  ageOf({ readAt }: Snapshot): number {
    return Math.abs(this.now() - readAt);
  }

  /** Something on the pages of a team has changed; those whose incidents changed are read at once, for an outage to come. */
  outdate(teamId: string, { isIncident }: { isIncident: boolean }): void {
    for (const [slug, entry] of this.entries) {
      if (entry.snapshot?.teamId !== teamId) continue;
      entry.isOutdated = true;
      if (isIncident) this.renew(slug, entry);
    }
  }

  /** Pages of a team were changed themselves: what is kept of them may not be given out any more. */
  drop(teamId: string): void {
    for (const [slug, { snapshot }] of this.entries) {
      // One that is being read for the first time may be of any team.
      if (snapshot && snapshot.teamId !== teamId) continue;
      this.entries.delete(slug);
      void this.forget(slug);
    }
  }

  private async first(slug: string): Promise<Snapshot | null> {
    const entry: Entry = { snapshot: null, making: null, makingAt: 0, failedAt: null, isOutdated: false };
    this.entries.set(slug, entry);
    const [oldest] = this.entries.keys();
    if (this.entries.size > MOST_PAGES && oldest !== undefined) this.entries.delete(oldest);
    return this.make(slug, entry);
  }

  /** Reads a page that is too old; the old reading is the answer where the database is away or slow. */
  private async renewed(slug: string, entry: Entry, old: Snapshot): Promise<Snapshot | null> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<Snapshot>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS, old);
    });
    try {
      return await Promise.race([this.make(slug, entry), patience]);
    } catch (error) {
      if (isDatabaseAway(error) && this.entries.get(slug) === entry) return old;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Reads a page beside the answers. */
  private renew(slug: string, entry: Entry): void {
    if (entry.failedAt !== null && this.now() - entry.failedAt < RETRY_MS) return;
    this.make(slug, entry).catch((error) => {
      if (!isDatabaseAway(error)) log.error({ err: error }, 'A status page could not be read');
    });
  }

  /** Reads a page for all who wait for it. */
  private make(slug: string, entry: Entry): Promise<Snapshot | null> {
    entry.making ??= this.made(slug, entry).finally(() => {
      entry.making = null;
    });
    return entry.making;
  }

  private async made(slug: string, entry: Entry): Promise<Snapshot | null> {
    const readAt = this.now();
    entry.makingAt = readAt;
    entry.isOutdated = false;
    const others = entry.snapshot ? null : await this.shared(slug);
    if (others && Math.abs(readAt - others.readAt) < MOST_AGE_MS) return this.keep(slug, entry, others);
    try {
      const found = await this.read(slug);
      if (!found) {
        if (this.entries.get(slug) === entry) this.entries.delete(slug);
        return null;
      }
      return this.keep(slug, entry, { ...found, readAt }, { isNew: true });
    } catch (error) {
      if (isDatabaseAway(error)) {
        entry.failedAt = this.now();
        if (others) return this.keep(slug, entry, others, { isAway: true });
      }
      if (!entry.snapshot && this.entries.get(slug) === entry) this.entries.delete(slug);
      throw error;
    }
  }

  private async keep(
    slug: string,
    entry: Entry,
    snapshot: Snapshot,
    { isNew = false, isAway = false } = {},
  ): Promise<Snapshot | null> {
    // Dropped while it was being read: it may be private by now, so it is read again.
    if (this.entries.get(slug) !== entry) return isAway ? null : this.get(slug);
    if (!isAway) entry.failedAt = null;
    const { snapshot: before } = entry;
    if (isNew) void this.share(slug, entry, snapshot);
    // What is made of a reading stays where the next one reads the same.
    if (before && isSame(before, snapshot)) before.readAt = snapshot.readAt;
    else entry.snapshot = snapshot;
    return entry.snapshot;
  }

  /** What another process made of a page, or this one before it was started again. */
  private async shared(slug: string): Promise<Snapshot | null> {
    if (!this.store) return null;
    try {
      const text = await this.store.get(snapshotKey(slug));
      if (text === null) return null;
      return Shared.parse(JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString()));
    } catch (error) {
      log.debug({ err: error }, 'A shared status page could not be read');
      return null;
    }
  }

  private async share(slug: string, entry: Entry, snapshot: Snapshot): Promise<void> {
    if (!this.store) return;
    const text = gzipSync(JSON.stringify(snapshot)).toString('base64');
    try {
      await this.store.set(snapshotKey(slug), text, { ttlSeconds: SHARED_SECONDS });
      if (this.entries.get(slug) !== entry) await this.forget(slug);
    } catch (error) {
      log.debug({ err: error }, 'A status page could not be shared');
    }
  }

  private async forget(slug: string): Promise<void> {
    await this.store?.del(snapshotKey(slug)).catch(() => undefined);
  }
}

const kept = globalThis as typeof globalThis & { upwatchSnapshots?: Snapshots };

/** The snapshots of this process. Next loads modules more than once; they share one. */
export function snapshots(): Snapshots {
  kept.upwatchSnapshots ??= new Snapshots();
  return kept.upwatchSnapshots;
}

/** Lets changes that the database tells of reach the snapshots, until the function it gives back is called. */
export async function followChanges(own = snapshots()): Promise<() => void> {
  const ends = await Promise.all([
    listen('live', ({ team, kind }) => {
      if (kind !== 'channel') own.outdate(team, { isIncident: kind === 'incident' });
    }),
    listen('statusPages', (teamId) => own.drop(teamId)),
  ]);
  return () => {
    for (const end of ends) end();
  };
}
