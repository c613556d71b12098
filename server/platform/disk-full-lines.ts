const EVERY_MS = 60_000;
/** Matches the messages of PostgreSQL, of the system, and our own about a full disk. */
const DISK_FULL = /No space left on device|ENOSPC|The disk of the database is full/;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function* textsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  if (!isRecord(value)) return;
  if (typeof value.message === 'string') yield value.message;
  if (typeof value.reason === 'string') yield value.reason;
  for (const inner of [value.err, value.cause]) if (inner !== undefined && inner !== value) yield* textsOf(inner);
}

/** Reduces the log lines that a full disk causes to one per minute, because every part of a process then fails to write. */
export class DiskFullLines {
  private writtenAt = Number.NEGATIVE_INFINITY;

  /**
   * Decides what to write for a log line.
   * @returns the fields of a line to write instead, `repeated` for a line to drop, or null to write the line unchanged
   */
  judge(parts: unknown[], now = performance.now()): { detail: string } | 'repeated' | null {
    const detail = parts.flatMap((part) => [...textsOf(part)]).find((text) => DISK_FULL.test(text));
    if (detail === undefined) return null;
    if (now - this.writtenAt < EVERY_MS) return 'repeated';
    this.writtenAt = now;
    return { detail: detail.trim().split('\n').at(-1) ?? detail };
  }
}
