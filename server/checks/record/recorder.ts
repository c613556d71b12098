import { log } from '@/server/platform/log';
import { takeInTurns } from '@/server/platform/take-in-turns';
import { type WrittenApart, writeApart } from '@/server/platform/write-apart';
import { claimKey } from '../schedule/claim';
import type { Recorded } from './record';
import { toRefused } from './refused';
import type { Result } from './write-results';

/** Results are gathered this long, unless one may change a status. */
const GATHER_MS = 500;
const MOST_AT_ONCE = 500;
const LONGEST_RETRY_WAIT_MS = 2_000;
/** Until a result is tried again whose monitor another transaction holds. */
const HELD_WAIT_MS = 100;
/** While the database cannot be written. The oldest without a claim are dropped then. */
const MOST_WAITING = 10_000;

interface Entry {
  result: Result;
  /** Called once, with the next due time; null if there is none, or if the result did not count. */
  done: (dueAt: Date | null) => void;
  /** Set where another transaction held the monitor, or where it failed alone: when to try again, by the steady clock. */
  againAt?: number;
  /** It did not fit into the transaction of its batch, because of the number of deliveries. */
  isLeft?: boolean;
}

/**
 * What is recorded in one batch: results of monitors with regions need a transaction and more locks, and those without a claim are decided under lock.
 * Those that were left are a kind of their own, so that an outage with many deliveries does not take places from other results.
 */
const kindOf = ({ result, isLeft = false }: Entry) =>
  `${result.plan.regions.length > 0} ${result.claim !== null} ${isLeft}`;

/**
 * Takes results and records them in batches, one batch at a time. Keeps them while the database is away. A result that cannot be
 * stored holds up no other: the batch is split at once. One whose monitor another transaction holds is tried again after the others.
 */
export class Recorder {
  /** In the order in which they were made. */
  private waiting = new Set<Entry>();
  /** Being written; what cannot be goes back to those that wait. */
  private writing: Entry[] = [];
  private flushing: Promise<void> | null = null;
  private gathering: NodeJS.Timeout | null = null;
  private batchSize = MOST_AT_ONCE;
  /** Of the last batch. Kinds take turns, so that an outage that takes many batches delays other results by one of them only. */
  private lastKind = '';
  private stopped = false;
  /** Whether the last batch could not be written, so that results wait for longer than they are gathered. */
  isFailing = false;

  /** @param record makes results count, at most one per monitor, and says which did */
  constructor(private readonly record: (results: Result[]) => Promise<Recorded>) {}

  add(result: Result, done: Entry['done']): void {
    this.wait({ result, done });
    const { finding, claim } = result;
    const mayChange = 'beat' in finding || claim?.state.status !== finding.verdict.status;
    if (mayChange || this.waiting.size >= MOST_AT_ONCE) this.flush();
    else this.gathering ??= setTimeout(() => this.flush(), GATHER_MS);
  }

  /** Records a result that has no claim, after those of its monitor that wait. */
  addLater(result: Result, done: Entry['done']): void {
    this.wait({ result, done });
    this.flush();
  }

  /**
   * A monitor was claimed anew before its result was recorded: the result counts without its claim, so that recording it does not
   * release the new one. A look at a heartbeat is left out, since the new claim looks again.
   * @param key the `claimKey`
   */
  disown(key: string): void {
    for (const entry of [...this.writing, ...this.waiting]) {
      const { claim, finding } = entry.result;
      if (!claim || claimKey(claim.monitorId, claim.region) !== key) continue;
      if ('beat' in finding) this.waiting.delete(entry);
      else entry.result = { ...entry.result, claim: null };
    }
  }

  /** Records what is waiting and resolves when nothing is, or after `timeoutMs`. No more results may be added. */
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

  /** Those with a claim stay, one per held monitor at most: recording them is what releases their claims. */
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
      const { left, error } = await this.writeBatch(batch);
      this.isFailing = left.length > 0;
      if (!this.isFailing) {
        wait = 100;
        this.batchSize = Math.min(MOST_AT_ONCE, this.batchSize * 2);
        continue;
      }
      // What takes too long in one transaction is done in several. One that fails alone lets the others go first.
      this.batchSize = Math.max(1, Math.floor(Math.min(this.batchSize, batch.length) / 2));
      if (batch.length === 1) for (const entry of left) entry.againAt = performance.now() + 2 * LONGEST_RETRY_WAIT_MS;
      log.warn({ err: error, results: left.length }, 'Results could not be recorded; retrying');
      this.putBack(left);
      await new Promise((resolve) => setTimeout(resolve, wait));
      wait = Math.min(wait * 2, LONGEST_RETRY_WAIT_MS);
    }
  }

  /**
   * The next batch, of each team in turns and of one kind: one result per monitor, its oldest, since the next one depends on the state that it leaves.
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

  /** Records a batch. A result that is refused by itself is recorded as unknown. */
  private async writeBatch(batch: Entry[]): Promise<WrittenApart<Entry>> {
    const write = async (entries: Entry[]) => {
      const recorded = await this.record(entries.map(({ result }) => result));
      this.putBack(entries.filter((entry) => !this.settle(entry, recorded)));
    };
    const first = await writeApart(batch, write);
    if (first.refused.length === 0) return first;
    const unknown = first.refused.map(({ item, error }) => {
      log.error({ err: error, monitor: item.result.plan.monitor.id }, 'A result was rejected; it counts as unknown');
      return { ...item, result: toRefused(item.result) };
    });
    const second = await writeApart(unknown, write);
    for (const { item, error } of second.refused) this.giveUp(item, error);
    return { refused: [], left: [...first.left, ...second.left], error: first.error ?? second.error };
  }

  /** @returns false if the entry is to be tried again */
  private settle(entry: Entry, recorded: Recorded): boolean {
    const dueAt = recorded.get(entry.result.plan.monitor.id) ?? null;
    if (dueAt === 'held') entry.againAt = performance.now() + HELD_WAIT_MS;
    else if (dueAt === 'left') entry.isLeft = true;
    else entry.done(dueAt);
    return dueAt !== 'held' && dueAt !== 'left';
  }

  /** Its claim runs out, and the monitor is checked again. */
  private giveUp({ result, done }: Entry, error: unknown): void {
    log.error({ err: error, monitor: result.plan.monitor.id }, 'A result was dropped because the database rejects it');
    done(null);
  }

  private putBack(batch: Entry[]): void {
    if (batch.length === 0) return;
    this.waiting = new Set([...batch, ...this.waiting]);
  }
}
