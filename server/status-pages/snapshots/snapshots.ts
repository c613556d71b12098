import { setTimeout as sleep } from 'node:timers/promises';
import { withShare } from '@/server/platform/database/connection-share';
import { isDatabaseAway } from '@/server/platform/database/database-away';
import { db } from '@/server/platform/db';
import type { KeyValue } from '@/server/platform/kv';
import { listen } from '@/server/platform/listen';
import { log } from '@/server/platform/log';
import { SizedCache } from '@/server/platform/sized-cache';
import { type PublicPage, readPublicPage } from '../read-public-page';
import { isSlug } from '../slug';
import { deleteShared, readShared, type Snapshot, sharedStore, writeShared } from './shared-snapshots';

/** The maximum age of a response, unless the database is unavailable. */
const MOST_AGE_MS = 1_000;
/** A snapshot of this age is refreshed in the background, so that requests for popular pages never wait. */
const RENEW_AGE_MS = 500;
/** The maximum time that a request waits for a refresh if there is a snapshot. */
const PATIENCE_MS = 1_000;
/** The retry interval per page while the database is unavailable. */
const RETRY_MS = 1_000;
/** The maximum number of cached pages, and of their components, each of which takes about 10 KB. Evicts the least recently requested pages. */
const MOST_PAGES = 500;
const MOST_COMPONENTS = 10_000;
/** The maximum number of pages, cached or not, whose team is known. */
const MOST_TEAMS = 10_000;
/**
 * After a read, the next read of the team's pages waits for this multiple of its duration, so that large pages leave most of the process to other
 * teams.
 */
const RESTS = 4;
const LONGEST_REST_MS = 5_000;
/** The result of a read whose page was dropped meanwhile. */
const DROPPED = Symbol('dropped');

interface Entry {
  snapshot: Snapshot | null;
  making: Promise<Snapshot | null> | null;
  /** When the current read was requested. */
  makingAt: number;
  /** When the last read failed because the database was unavailable. */
  failedAt: number | null;
  /** Whether the page changed since the read started. */
  isOutdated: boolean;
}

/** Reads a page with the connections that status pages share, divided by team if it is known. */
function readWithShare(slug: string, teamId: string | null): Promise<PublicPage | null> {
  return withShare({ team: 'status-pages', host: teamId ?? slug }, () => readPublicPage(db, slug));
}

const isSame = (one: Snapshot, other: Snapshot) =>
  one.page.version === other.page.version && one.logoKey === other.logoKey;

interface Options {
  read?: (slug: string, teamId: string | null) => Promise<PublicPage | null>;
  store?: KeyValue | null;
  now?: () => number;
}

/**
 * Snapshots of public status pages, at most one second old. Reads a page on request, at most twice per second, and when one of its incidents changes.
 * Changes to a page drop its snapshot in all processes. Returns the last snapshot while the database is unavailable. Reads one page of a team at a
 * time, so that large pages only delay the pages of their own team.
 */
export class Snapshots {
  private readonly entries = new Map<string, Entry>();
  private readonly read: (slug: string, teamId: string | null) => Promise<PublicPage | null>;
  /** The teams of pages by slug, also of evicted pages: a team with more large pages than are kept takes turns too. */
  private readonly teams = new SizedCache<string>({ entries: MOST_TEAMS, size: MOST_TEAMS });
  /** By team: resolves when the team's next page may be read. */
  private readonly turns = new Map<string, Promise<void>>();
  private readonly store: KeyValue | null;
  private readonly now: () => number;

  constructor({ read = readWithShare, store = sharedStore, now = Date.now }: Options = {}) {
    this.read = read;
    this.store = store;
    this.now = now;
  }

  /**
   * Returns the page of a slug; null if it does not exist or is private. Returns a fresh snapshot synchronously.
   * @throws the error of the read if there is no snapshot
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

  /** Returns whether a snapshot of a page is kept: then `get` waits for a read for at most `PATIENCE_MS`. */
  has(slug: string): boolean {
    return Boolean(this.entries.get(slug)?.snapshot);
  }

  /** Returns the age of a snapshot in milliseconds. */
  ageOf({ readAt }: Snapshot): number {
    return Math.abs(this.now() - readAt);
  }

  /** Marks the pages of a team as changed. Refreshes pages at once if an incident changed. */
  outdate(teamId: string, { isIncident }: { isIncident: boolean }): void {
    for (const [slug, entry] of this.entries) {
      if (entry.snapshot?.teamId !== teamId) continue;
      entry.isOutdated = true;
      if (isIncident) this.renew(slug, entry);
    }
  }

  /** Drops the snapshots of a team. */
  drop(teamId: string): void {
    for (const [slug, { snapshot }] of this.entries) {
      // A page that this process has never read can belong to any team.
      const owner = snapshot?.teamId ?? this.teams.get(slug);
      if (owner !== undefined && owner !== teamId) continue;
      this.entries.delete(slug);
      void deleteShared(this.store, slug);
    }
  }

  private async first(slug: string): Promise<Snapshot | null> {
    const entry: Entry = { snapshot: null, making: null, makingAt: 0, failedAt: null, isOutdated: false };
    this.entries.set(slug, entry);
    this.evict();
    return this.make(slug, entry);
  }

  private evict(): void {
    const sizeOf = ({ snapshot }: Entry) => snapshot?.page.components.length ?? 0;
    let components = 0;
    for (const entry of this.entries.values()) components += sizeOf(entry);
    for (const [slug, entry] of this.entries) {
      if (this.entries.size <= MOST_PAGES && components <= MOST_COMPONENTS) return;
      if (this.entries.size <= MOST_PAGES && sizeOf(entry) === 0) continue;
      components -= sizeOf(entry);
      this.entries.delete(slug);
    }
  }

  /** Waits for a refresh; returns the old snapshot if the database is unavailable or slow. */
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

  /** Refreshes a page in the background. */
  private renew(slug: string, entry: Entry): void {
    if (entry.failedAt !== null && this.now() - entry.failedAt < RETRY_MS) return;
    this.make(slug, entry).catch((error) => {
      if (!isDatabaseAway(error)) log.error({ err: error }, 'A status page could not be read');
    });
  }

  /** Reads a page once for all waiting requests. */
  private make(slug: string, entry: Entry): Promise<Snapshot | null> {
    if (entry.making) return entry.making;
    entry.makingAt = this.now();
    const making = this.inTurn(this.teams.get(slug), () => this.made(slug, entry)).finally(() => {
      entry.making = null;
    });
    // Dropped during the read: the page may be private now, so it is read again, in a turn of its own.
    const kept = making.then((made) => (made === DROPPED ? this.get(slug) : made));
    entry.making = kept;
    return kept;
  }

  /** Runs reads of a team's pages one after another. The team is unknown while this process reads a page for the first time. */
  private async inTurn<T>(team: string | undefined, work: () => Promise<T>): Promise<T> {
    if (team === undefined) return work();
    const before = this.turns.get(team);
    const turn = (async () => {
      if (before) await before;
      const from = this.now();
      return { value: await work(), tookMs: this.now() - from };
    })();
    const rested = turn.then(
      ({ tookMs }) => sleep(Math.min(RESTS * tookMs, LONGEST_REST_MS), undefined, { ref: false }),
      () => undefined,
    );
    this.turns.set(team, rested);
    void rested.then(() => {
      if (this.turns.get(team) === rested) this.turns.delete(team);
    });
    return (await turn).value;
  }

  /** Reads a page, or takes a shared snapshot that is fresh enough. Falls back to an older shared one while the database is unavailable. */
  private async made(slug: string, entry: Entry): Promise<Snapshot | null | typeof DROPPED> {
    const readAt = this.now();
    entry.isOutdated = false;
    const others = entry.snapshot ? null : await readShared(this.store, slug);
    if (others && Math.abs(readAt - others.readAt) < MOST_AGE_MS) return this.keep(slug, entry, others);
    try {
      const found = await this.read(slug, this.teams.get(slug) ?? null);
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

  /** Stores a snapshot in its entry, unless the entry was dropped meanwhile. Shares a new one with other processes. */
  private keep(
    slug: string,
    entry: Entry,
    snapshot: Snapshot,
    { isNew = false, isAway = false } = {},
  ): Snapshot | null | typeof DROPPED {
    if (this.entries.get(slug) !== entry) return isAway ? null : DROPPED;
    if (!isAway) entry.failedAt = null;
    const { snapshot: before } = entry;
    this.teams.set(slug, snapshot.teamId, 1);
    if (isNew) void writeShared(this.store, slug, snapshot, () => this.entries.get(slug) === entry);
    // Keeps the object, and with it the rendered documents, if only `checkedAt`, durations and uptimes changed.
    if (before && isSame(before, snapshot)) {
      Object.assign(before.page, snapshot.page);
      before.readAt = snapshot.readAt;
    } else {
      entry.snapshot = snapshot;
      this.evict();
    }
    return entry.snapshot;
  }
}

const kept = globalThis as typeof globalThis & { upwatchSnapshots?: Snapshots };

/** The snapshots of this process. Shared through `globalThis`, because Next loads modules more than once. */
export function snapshots(): Snapshots {
  kept.upwatchSnapshots ??= new Snapshots();
  return kept.upwatchSnapshots;
}

/**
 * Subscribes the snapshots to database notifications.
 * @returns a function that unsubscribes
 */
export async function followChanges(own = snapshots()): Promise<() => void> {
  const ends = await Promise.all([
    listen('live', ({ team, kind }) => {
      if (kind === 'monitor' || kind === 'incident') own.outdate(team, { isIncident: kind === 'incident' });
    }),
    listen('statusPages', (teamId) => own.drop(teamId)),
  ]);
  return () => {
    for (const end of ends) end();
  };
}
