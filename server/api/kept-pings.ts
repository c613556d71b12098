import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Ping } from '@/server/checks/record/store-ping';
import { env } from '@/server/platform/env';
import { groupWrites } from '@/server/platform/group-writes';
import { newId } from '@/server/platform/ids';
import { log } from '@/server/platform/log';

/** The limits of pings kept while the database is unavailable. */
const LIMITS = {
  /** For all files, including those of other processes. A ping without a body takes 130 bytes. */
  bytes: 32 * 1024 * 1024,
  /** For one heartbeat. */
  pings: 240,
};
/** The maximum age of kept pings; older ones are dropped. */
const OLDEST_MS = 3_600_000;
/** A file that was not written or replayed for this long while the database is available was left by a process that died. */
const LEFT_AFTER_MS = 15_000;
/** The number of pings recorded concurrently, each of a different heartbeat. */
const LANES = 4;
const NEWLINE = 10;
/** Replaces the opening brace of a line once its ping is recorded. */
const DONE = 'x';

const Line = z.object({
  /** When the ping arrived, by this machine's clock, in milliseconds since the epoch. */
  at: z.number(),
  tokenHash: z.string(),
  /** `Ping.event`, under the name that earlier versions read and write. */
  beat: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('start') }),
    z.object({ kind: z.literal('success') }),
    z.object({ kind: z.literal('fail'), error: z.string() }),
  ]),
  body: z.object({ signal: z.string(), text: z.string() }).nullable(),
}) satisfies z.ZodType<Omit<Ping, 'event'> & { beat: Ping['event']; at: number }>;
type Line = z.infer<typeof Line>;

/** A line with its position in the file. */
interface Placed {
  line: Line;
  offset: number;
}

/** The size of all files, and of this process's pings by team in bytes. The key undefined stands for unknown tokens. */
interface Used {
  bytes: number;
  byTeam: Map<string | undefined, number>;
}

/** The database as used by `replay`. Both functions reject while it is unavailable. */
interface Database {
  now(): Promise<Date>;
  /** Records a ping that arrived at this time, by the database's clock. */
  record(ping: Ping, cameAt: Date): Promise<void>;
}

function parse(text: string): Line | null {
  try {
    return Line.parse(JSON.parse(text));
  } catch {
    // The end of a file that a full disk or a crash has truncated.
    return null;
  }
}

/** Yields the lines that are not recorded yet. Parses one at a time, because a file has up to a quarter of a million. */
function* linesOf(bytes: Buffer): Generator<Placed> {
  for (let offset = 0; offset < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, offset);
    const end = newline < 0 ? bytes.length : newline;
    const line = bytes[offset] === DONE.charCodeAt(0) ? null : parse(bytes.toString('utf8', offset, end));
    if (line) yield { line, offset };
    offset = end + 1;
  }
}

/**
 * Yields lines in batches to record concurrently. A batch has at most one ping per heartbeat, because the pings of a heartbeat are recorded in order.
 */
function* inBatches(lines: Iterable<Placed>): Generator<Placed[]> {
  let batch: Placed[] = [];
  for (const placed of lines) {
    const isKnown = batch.some(({ line }) => line.tokenHash === placed.line.tokenHash);
    if (isKnown || batch.length === LANES) {
      yield batch;
      batch = [];
    }
    batch.push(placed);
  }
  if (batch.length > 0) yield batch;
}

/**
 * Keeps pings in files while the database is unavailable, and records them afterwards with their time of arrival, in order per heartbeat and at least
 * once. The files survive the process: another process with the same directory records those of a process that died. Tokens are stored as hashes.
 */
export class KeptPings {
  private readonly own = newId();
  private readonly counts = new Map<string, number>();
  /** The files that this process replays. */
  private readonly taken = new Set<string>();
  /** Null until it is measured, and after everything was replayed. */
  private used: Used | null = null;
  /** How far the database's clock is ahead of this machine's. Measured once per replay, so that pings keep their order. */
  private offsetMs: number | null = null;
  /** Whether this process is writing to a file. */
  private isOpen = false;
  private readonly write = groupWrites<string | null>((lines) => this.append(lines));

  constructor(
    private readonly folder: string,
    private readonly limits = LIMITS,
  ) {}

  /**
   * Keeps a ping on disk. A team may use at most as many bytes as are free (dynamic thresholds, as in `FairPool`), so that no team fills the files.
   * Unknown tokens, such as guesses, count as one team.
   * @returns false if there is no room
   */
  async keep(ping: Ping, team: string | undefined, cameAt = Date.now()): Promise<boolean> {
    const used = await this.measure();
    const { event: beat, ...rest } = ping;
    const line = `${JSON.stringify({ at: cameAt, beat, ...rest } satisfies Line)}\n`;
    const bytes = Buffer.byteLength(line);
    const held = (used.byTeam.get(team) ?? 0) + bytes;
    const count = this.counts.get(ping.tokenHash) ?? 0;
    if (count >= this.limits.pings || held > this.limits.bytes - used.bytes) return false;
    used.bytes += bytes;
    used.byTeam.set(team, held);
    this.counts.set(ping.tokenHash, count + 1);
    await this.write(line);
    return true;
  }

  /**
   * Records kept pings, including those of processes that died. Rejects if the database is unavailable; unrecorded pings are kept.
   * @returns the number of recorded pings
   */
  async replay(database: Database): Promise<number> {
    let count = 0;
    // Runs between two batches of writes, so that no ping is added to a file that is being replayed.
    if (this.isOpen) await this.write(null);
    const names = await this.takeFiles();
    if (names.length > 0) this.offsetMs ??= (await database.now()).getTime() - Date.now();
    for (const name of names) count += await this.replayFile(name, database);
    this.used = null;
    this.offsetMs = null;
    this.counts.clear();
    return count;
  }

  private async measure(): Promise<Used> {
    if (this.used) return this.used;
    const sizes = await Promise.all((await this.list()).map(({ size }) => size));
    this.used ??= { bytes: sizes.reduce((sum, size) => sum + size, 0), byTeam: new Map() };
    return this.used;
  }

  private async list(): Promise<{ name: string; size: number; mtimeMs: number }[]> {
    const names = await readdir(this.folder).catch(() => []);
    const files = names.map(async (name) => {
      const found = await stat(path.join(this.folder, name)).catch(() => null);
      return found?.isFile() ? [{ name, size: found.size, mtimeMs: found.mtimeMs }] : [];
    });
    return (await Promise.all(files)).flat();
  }

  /** Appends lines, completely or not at all. Null closes the file, so that it can be replayed and later lines start a new one. */
  private async append(lines: (string | null)[]): Promise<void> {
    const current = path.join(this.folder, this.own);
    const text = lines.filter((line) => line !== null).join('');
    if (text !== '') {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      const file = await open(current, 'a', 0o600);
      this.isOpen = true;
      try {
        const { size } = await file.stat();
        try {
          await file.writeFile(text);
          await file.datasync();
        } catch (error) {
          await file.truncate(size).catch(() => undefined);
          throw error;
        }
      } finally {
        await file.close();
      }
    }
    if (!lines.includes(null)) return;
    await this.take(this.own);
    this.isOpen = false;
  }

  /** Renames a file and marks it as taken, so that only one of several processes replays it. */
  private async take(name: string): Promise<void> {
    const taken = newId();
    const isOurs = await rename(path.join(this.folder, name), path.join(this.folder, taken)).then(
      () => true,
      () => false,
    );
    if (isOurs) this.taken.add(taken);
  }

  /** Takes the files that dead processes left. Returns the files to replay, oldest first. */
  private async takeFiles(): Promise<string[]> {
    const left = Date.now() - LEFT_AFTER_MS;
    for (const { name, mtimeMs } of await this.list()) {
      if (name !== this.own && !this.taken.has(name) && mtimeMs < left) await this.take(name);
    }
    return [...this.taken];
  }

  /** Records the pings of a file and deletes it. Drops pings that are too old. */
  private async replayFile(name: string, database: Database): Promise<number> {
    const location = path.join(this.folder, name);
    const file = await open(location, 'r+').catch(() => null);
    let count = 0;
    try {
      for (const batch of file ? inBatches(linesOf(await file.readFile())) : []) {
        await Promise.all(
          batch.map(async ({ line: { at, beat: event, ...rest }, offset }) => {
            const cameAt = new Date(at + (this.offsetMs ?? 0));
            if (Date.now() - at <= OLDEST_MS) await database.record({ event, ...rest }, cameAt);
            await file?.write(DONE, offset);
          }),
        );
        count += batch.length;
      }
    } finally {
      await file?.close();
    }
    await rm(location, { force: true });
    this.taken.delete(name);
    if (count > 0) log.info({ pings: count }, 'Pings that came while the database was away are recorded');
    return count;
  }
}

const shared = globalThis as typeof globalThis & { upwatchKeptPings?: KeptPings };

/** Returns the kept pings of this process. Shared through globalThis, because Next bundles routes and start separately. */
export function keptPings(): KeptPings {
  shared.upwatchKeptPings ??= new KeptPings(path.join(/* turbopackIgnore: true */ env.dataDir, 'pings'));
  return shared.upwatchKeptPings;
}
