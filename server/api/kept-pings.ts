import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Ping } from '@/server/checks/record/store-ping';
import { env } from '@/server/platform/env';
import { groupWrites } from '@/server/platform/group-writes';
import { newId } from '@/server/platform/ids';
import { log } from '@/server/platform/log';

/** The bounds of what is kept while the database is away. */
const LIMITS = {
  /** Of all files, also those of other processes. A ping without a body takes 130 bytes. */
  bytes: 32 * 1024 * 1024,
  /** Of one heartbeat. */
  pings: 240,
};
/** Older pings are dropped. */
const OLDEST_MS = 3_600_000;
/** A file that nobody has written or recorded for this long, while the database is back, was left by a process that died. */
const LEFT_AFTER_MS = 15_000;
/** Pings that are recorded at once, each of another heartbeat. */
const LANES = 4;
const NEWLINE = 10;
/** The first byte of a line that was recorded; a line begins with a brace before. */
const DONE = 'x';

const Line = z.object({
  /** When it came, by this machine's clock, in milliseconds of the epoch. */
  at: z.number(),
  tokenHash: z.string(),
  /** `Ping.event`, under the name that processes of earlier versions write and read. */
  beat: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('start') }),
    z.object({ kind: z.literal('success') }),
    z.object({ kind: z.literal('fail'), error: z.string() }),
  ]),
  body: z.object({ signal: z.string(), text: z.string() }).nullable(),
}) satisfies z.ZodType<Omit<Ping, 'event'> & { beat: Ping['event']; at: number }>;
type Line = z.infer<typeof Line>;

/** A line of a file, by its place. */
interface Placed {
  line: Line;
  offset: number;
}

/** The bytes of all files, and those that this process keeps for each team; undefined stands for tokens of unknown teams. */
interface Used {
  bytes: number;
  byTeam: Map<string | undefined, number>;
}

/** The database as `replay` uses it. Both reject while it is away. */
interface Database {
  now(): Promise<Date>;
  /** Records a ping that came at this time, by the database's clock. */
  record(ping: Ping, cameAt: Date): Promise<void>;
}

function parse(text: string): Line | null {
  try {
    return Line.parse(JSON.parse(text));
  } catch {
    // The end of a file that a full disk or a crash has cut off.
    return null;
  }
}

/** The lines that were not recorded yet. */
function linesOf(bytes: Buffer): Placed[] {
  const lines: Placed[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, offset);
    const end = newline < 0 ? bytes.length : newline;
    const line = bytes[offset] === DONE.charCodeAt(0) ? null : parse(bytes.toString('utf8', offset, end));
    if (line) lines.push({ line, offset });
    offset = end + 1;
  }
  return lines;
}

/** The next lines to record at once: of different heartbeats, because those of one are recorded in order. */
function takeDistinct(lines: Placed[]): Placed[] {
  const hashes = new Set<string>();
  let count = 0;
  while (count < LANES && lines[count] && !hashes.has(lines[count]?.line.tokenHash ?? '')) {
    hashes.add(lines[count]?.line.tokenHash ?? '');
    count += 1;
  }
  return lines.splice(0, count);
}

/**
 * Keeps pings in files while the database is away, and records them when it is back: each with the time when it came, in order, and at least once. The
 * files survive the process; those of a process that died are recorded by another one with the same directory. Tokens are stored as hashes.
 */
export class KeptPings {
  private readonly own = newId();
  private readonly counts = new Map<string, number>();
  /** The files that this process records. */
  private readonly taken = new Set<string>();
  /** Null while nothing is kept. */
  private used: Used | null = null;
  /** By how much the database's clock is ahead. The same for all pings that are recorded, so that they stay in order. */
  private offsetMs: number | null = null;
  /** Whether this process has a file that it does not record yet. */
  private isOpen = false;
  private readonly write = groupWrites<string | null>((lines) => this.append(lines));

  constructor(
    private readonly folder: string,
    private readonly limits = LIMITS,
  ) {}

  /**
   * Keeps a ping on disk. A team may keep more only while more bytes are free than it holds (dynamic thresholds, as in `FairPool`), so that no team
   * fills the files. Tokens of unknown teams, such as guesses, share the part of one team.
   * @returns whether there was room for it
   */
  async keep(ping: Ping, team: string | undefined, now = Date.now()): Promise<boolean> {
    const used = await this.measure();
    const { event: beat, ...rest } = ping;
    const line = `${JSON.stringify({ at: now, beat, ...rest } satisfies Line)}\n`;
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
   * Records what was kept, also by processes that died. Rejects if the database is away; what was not recorded is kept.
   * @returns the number of pings
   */
  async replay(database: Database): Promise<number> {
    let count = 0;
    // Between two batches of writes, so that none goes into a file that is recorded.
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

  /** Appends lines, whole or not at all. Null closes the file: it is recorded next, and later lines go into another one. */
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

  /** Renames a file, so that of several processes one records it. */
  private async take(name: string): Promise<void> {
    const taken = newId();
    const isOurs = await rename(path.join(this.folder, name), path.join(this.folder, taken)).then(
      () => true,
      () => false,
    );
    if (isOurs) this.taken.add(taken);
  }

  /** The files to record, the oldest first. */
  private async takeFiles(): Promise<string[]> {
    const left = Date.now() - LEFT_AFTER_MS;
    for (const { name, mtimeMs } of await this.list()) {
      if (name !== this.own && !this.taken.has(name) && mtimeMs < left) await this.take(name);
    }
    return [...this.taken];
  }

  private async replayFile(name: string, database: Database): Promise<number> {
    const location = path.join(this.folder, name);
    const file = await open(location, 'r+').catch(() => null);
    let count = 0;
    try {
      for (const lines = file ? linesOf(await file.readFile()) : []; lines.length > 0; ) {
        const batch = takeDistinct(lines);
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

/** The kept pings of this process, whose routes and start are bundled apart. */
export function keptPings(): KeptPings {
  shared.upwatchKeptPings ??= new KeptPings(path.join(/* turbopackIgnore: true */ env.dataDir, 'pings'));
  return shared.upwatchKeptPings;
}
