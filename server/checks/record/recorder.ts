import { log } from '@/server/platform/log';
import { takeInTurns } from '@/server/platform/take-in-turns';
import { type WrittenApart, writeApart } from '@/server/platform/write-apart';
import { claimKey } from '../schedule/claim';
import type { Recorded } from './record';
import { toUnknownResult } from './storable';
import type { Result } from './write-results';

/** How long results are gathered into a batch. A result that may change a status is written at once. */
const GATHER_MS = 500;
const MOST_AT_ONCE = 500;
const LONGEST_RETRY_WAIT_MS = 2_000;
/** The delay before a result is retried because another transaction has locked its monitor. */
const HELD_WAIT_MS = 100;
/** The maximum number of results kept while the database cannot be written. Above it, each new result replaces the oldest one without a claim. */
const MOST_WAITING = 10_000;

interface Entry {
  result: Result;
  /** Called once, with the next due time; null if there is none, or if the result did not count. */
  done: (dueAt: Date | null) => void;
  /** When to retry, by the monotonic clock: set if another transaction had locked the monitor, or if a batch of only this result failed. */
  againAt?: number;
  /** Set if an earlier batch left it out because its transaction had too many deliveries. */
  isLeft?: boolean;
  /** Set if it must not be written again. */
  isDropped?: boolean;
}

/**
 * Returns the kind of batch that a result belongs to. Results of monitors with regions, and results without a claim, are kinds of their own, because
 * they are decided under locks. Results left by an earlier batch are another, so that an outage with many deliveries takes no places from others.
 */
const kindOf = ({ result, isLeft = false }: Entry) =>
  `${result.plan.regions.length > 0} ${result.claim !== null} ${isLeft}`;

/**
 * Records results in batches, one batch at a time. Keeps them while the database is unreachable. If the database rejects a batch, splits it, so that
 * the other results are stored. If another transaction has locked a result's monitor, retries the result after the others.
 */
export class Recorder {
  /** In order of completion. */
  private waiting = new Set<Entry>();
  /** The batch being written. Results that cannot be written are added to the waiting ones again. */
  private writing: Entry[] = [];
  private flushing: Promise<void> | null = null;
  private gathering: NodeJS.Timeout | null = null;
  private batchSize = MOST_AT_ONCE;
  /** The kind of the last batch. Kinds alternate, so that an outage of many batches delays other results by only one of them. */
  private lastKind = '';
  private stopped = false;
  /** Whether the last batch could not be written, so that results wait longer than `GATHER_MS`. */
  isFailing = false;

  /** @param record records results, at most one per monitor, and returns which of them count */
  constructor(private readonly record: (results: Result[]) => Promise<Recorded>) {}

  /** Adds a result. Writes at once if it may change a status or a batch is full; otherwise within `GATHER_MS`. */
  add(result: Result, done: Entry['done']): void {
    this.wait({ result, done });
    const { finding, claim } = result;
    const mayChange = 'event' in finding || claim?.state.status !== finding.verdict.status;
    if (mayChange || this.waiting.size >= MOST_AT_ONCE) this.flush();
    else this.gathering ??= setTimeout(() => this.flush(), GATHER_MS);
  }

  /** Adds a result without a claim, behind the waiting results of its monitor. */
  addLater(result: Result, done: Entry['done']): void {
    this.wait({ result, done });
    this.flush();
  }

  /**
   * Removes the claim from a waiting result because its monitor was claimed again, so that recording the result does not release the new claim.
   * Drops a heartbeat's check for silence, because the new claim repeats it.
   * @param key the `claimKey`
   */
  disown(key: string): void {
    for (const entry of [...this.writing, ...this.waiting]) {
      const { claim, finding } = entry.result;
      if (!claim || claimKey(claim.monitorId, claim.region) !== key) continue;
      if ('event' in finding) this.waiting.delete(entry);
      else entry.result = { ...entry.result, claim: null };
    }
  }

  /** Drops a result, because its claim was lost and results without a claim do not count. One that is being written is not written again. */
  drop(key: string): void {
    for (const entry of [...this.writing, ...this.waiting]) {
      const { claim } = entry.result;
      if (!claim || claimKey(claim.monitorId, claim.region) !== key) continue;
      entry.isDropped = true;
      this.waiting.delete(entry);
    }
  }

  /** Records what is waiting; resolves when nothing is left, or after `timeoutMs`. No more results may be added. */
  async stop(timeoutMs: number): Promise<void> {
    const end = performance.now() + timeoutMs;
    this.flush();
    while (this.flushing && performance.now() < end) {
      await Promise.race([
        this.flushing,
        new Promise((resolve) => setTimeout(resolve, end - performance.now()).unref()),
      ]);
    }
    this.stopped = true;
  }

  private wait(entry: Entry): void {
    if (this.waiting.size >= MOST_WAITING) this.dropOldest();
    this.waiting.add(entry);
  }

  /** Drops the oldest waiting result without a claim. Keeps those with one, because recording them releases the claim; `MOST_HELD` limits them. */
  private dropOldest(): void {
    for (const entry of this.waiting) {
      if (entry.result.claim) continue;
      this.waiting.delete(entry);
      return;
    }
  }

  private flush(): void {
    if (this.gathering) clearTimeout(this.gathering);
    this.gathering = null;
    if (this.flushing || this.stopped || this.waiting.size === 0) return;
    this.flushing = this.flushAll().finally(() => {
      this.flushing = null;
      this.flush();
    });
  }

  private async flushAll(): Promise<void> {
    for (let wait = 100; this.waiting.size > 0 && !this.stopped; ) {
      const batch = this.takeBatch();
      if (batch.length === 0) {
        await new Promise((resolve) => setTimeout(resolve, HELD_WAIT_MS));
        continue;
      }
      const { unwritten, error } = await this.writeBatch(batch);
      this.isFailing = unwritten.length > 0;
      if (!this.isFailing) {
        wait = 100;
        this.batchSize = Math.min(MOST_AT_ONCE, this.batchSize * 2);
        continue;
      }
      // Halves the batch size, because a transaction may have taken too long. A result that fails alone is retried after the others.
      this.batchSize = Math.max(1, Math.floor(Math.min(this.batchSize, batch.length) / 2));
      if (batch.length === 1)
        for (const entry of unwritten) entry.againAt = performance.now() + 2 * LONGEST_RETRY_WAIT_MS;
      log.warn({ err: error, results: unwritten.length }, 'Results could not be recorded; retrying');
      this.putBack(unwritten);
      await new Promise((resolve) => setTimeout(resolve, wait));
      wait = Math.min(wait * 2, LONGEST_RETRY_WAIT_MS);
    }
  }

  /**
   * Takes the next batch, of one kind and from teams in turns. Contains only the oldest result of each monitor, because the next one depends on the
   * resulting state.
   */
  private takeBatch(): Entry[] {
    const next = new Map<string, Entry>();
    for (const entry of this.waiting) {
      const { id } = entry.result.plan.monitor;
      if (!next.has(id)) next.set(id, entry);
    }
    const now = performance.now();
    const free = [...next.values()].filter(({ againAt = 0 }) => againAt <= now);
    const first = free.find((entry) => kindOf(entry) !== this.lastKind) ?? free[0];
    if (first) this.lastKind = kindOf(first);
    const alike = free.filter((entry) => kindOf(entry) === this.lastKind);
    const batch = takeInTurns(alike, ({ result }) => result.plan.monitor.teamId, this.batchSize);
    for (const entry of batch) this.waiting.delete(entry);
    this.writing = batch;
    return batch;
  }

  /** Records a batch. A result that the database rejects even alone is recorded as unknown. */
  private async writeBatch(batch: Entry[]): Promise<WrittenApart<Entry>> {
    const write = async (entries: Entry[]) => {
      const recorded = await this.record(entries.map(({ result }) => result));
      this.putBack(entries.filter((entry) => !this.settle(entry, recorded)));
    };
    const first = await writeApart(batch, write);
    if (first.rejected.length === 0) return first;
    const unknown = first.rejected.map(({ item, error }) => {
      log.error({ err: error, monitor: item.result.plan.monitor.id }, 'A result was rejected; it counts as unknown');
      return { ...item, result: toUnknownResult(item.result) };
    });
    const second = await writeApart(unknown, write);
    for (const { item, error } of second.rejected) this.giveUp(item, error);
    return { rejected: [], unwritten: [...first.unwritten, ...second.unwritten], error: first.error ?? second.error };
  }

  /**
   * Calls `done` of a recorded entry, or marks the entry for a retry.
   * @returns false if the entry has to be retried
   */
  private settle(entry: Entry, recorded: Recorded): boolean {
    const dueAt = recorded.get(entry.result.plan.monitor.id) ?? null;
    if (dueAt === 'held') entry.againAt = performance.now() + HELD_WAIT_MS;
    else if (dueAt === 'left') entry.isLeft = true;
    else entry.done(dueAt);
    return dueAt !== 'held' && dueAt !== 'left';
  }

  /** Drops a result. Its claim expires, and the monitor is checked again. */
  private giveUp({ result, done }: Entry, error: unknown): void {
    log.error({ err: error, monitor: result.plan.monitor.id }, 'A result was dropped because the database rejects it');
    done(null);
  }

  private putBack(batch: Entry[]): void {
    const again = batch.filter(({ isDropped }) => !isDropped);
    if (again.length > 0) this.waiting = new Set([...again, ...this.waiting]);
  }
}
