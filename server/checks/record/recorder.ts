import { log } from '@/server/platform/log';
import { takeInTurns } from '@/server/platform/take-in-turns';
import { type WrittenApart, writeApart } from '@/server/platform/write-apart';
import { claimKey } from '../schedule/claim';
import { regionOf } from './decide';
import { LiveNotifier } from './live-notifier';
import type { Recorded } from './record';
import { toRefused } from './refused';
import type { Result } from './write-results';

/** Results are gathered this long, unless one may change a status. */
const GATHER_MS = 500;
const MOST_AT_ONCE = 500;
const LONGEST_RETRY_WAIT_MS = 2_000;

interface Entry {
  result: Result;
  /** Called once, with the next due time; null if there is none, or if the result did not count. */
  done: (dueAt: Date | null) => void;
}

const keyOf = ({ result }: Entry) => claimKey(result.plan.monitor.id, regionOf(result));
const hasRegions = ({ result }: Entry) => result.plan.regions.length > 0;

/**
 * Takes results and records them in batches, one batch at a time. Keeps them while the database is away. A result that cannot be
 * stored holds up no other: the batch is split at once.
 */
export class Recorder {
  /** By monitor and region: of two results of one, the older has lost its claim. */
  private readonly waiting = new Map<string, Entry>();
  private readonly notifier = new LiveNotifier();
  private flushing: Promise<void> | null = null;
  private gathering: NodeJS.Timeout | null = null;
  private batchSize = MOST_AT_ONCE;
  private stopped = false;

  /** @param record makes results count, at most one per monitor, and says which did */
  constructor(private readonly record: (results: Result[]) => Promise<Recorded>) {}

  add(result: Result, done: Entry['done']): void {
    const entry = { result, done };
    this.waiting.get(keyOf(entry))?.done(null);
    this.waiting.set(keyOf(entry), entry);
    const { finding, claim } = result;
    const mayChange = 'beat' in finding || claim?.state.status !== finding.verdict.status;
    if (mayChange || this.waiting.size >= MOST_AT_ONCE) this.flush();
    else this.gathering ??= setTimeout(() => this.flush(), GATHER_MS);
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
    await this.notifier.flush();
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
      const { left, error } = await this.writeBatch(this.takeBatch());
      if (left.length === 0) {
        wait = 100;
        this.batchSize = Math.min(MOST_AT_ONCE, this.batchSize * 2);
        continue;
      }
      // What takes too long in one transaction is done in several.
      this.batchSize = Math.max(1, Math.floor(this.batchSize / 2));
      log.warn({ err: error, results: left.length }, 'Results could not be recorded; retrying');
      this.putBack(left);
      await new Promise((resolve) => setTimeout(resolve, wait));
      wait = Math.min(wait * 2, LONGEST_RETRY_WAIT_MS);
    }
  }

  /**
   * The next batch, of each team in turns: one result per monitor, since the next one depends on the state that it leaves.
   * Results of monitors with regions need a transaction and more locks, so they are in batches of their own.
   */
  private takeBatch(): Entry[] {
    const [first] = this.waiting.values();
    const next = new Map<string, Entry>();
    for (const entry of this.waiting.values()) {
      if (first && hasRegions(entry) === hasRegions(first)) next.set(entry.result.plan.monitor.id, entry);
    }
    const batch = takeInTurns(next.values(), ({ result }) => result.plan.monitor.teamId, this.batchSize);
    for (const entry of batch) this.waiting.delete(keyOf(entry));
    return batch;
  }

  /** Records a batch. A result that is refused by itself is recorded as unknown. */
  private async writeBatch(batch: Entry[]): Promise<WrittenApart<Entry>> {
    const write = async (entries: Entry[]) => {
      const recorded = await this.record(entries.map(({ result }) => result));
      for (const { result, done } of entries) this.settle(result, recorded, done);
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

  private settle(result: Result, recorded: Recorded, done: Entry['done']): void {
    const { id, teamId } = result.plan.monitor;
    if (recorded.has(id)) this.notifier.add(id, teamId);
    done(recorded.get(id) ?? null);
  }

  /** Its claim runs out, and the monitor is checked again. */
  private giveUp({ result, done }: Entry, error: unknown): void {
    log.error({ err: error, monitor: result.plan.monitor.id }, 'A result was dropped because the database rejects it');
    done(null);
  }

  private putBack(batch: Entry[]): void {
    for (const entry of batch) {
      if (this.waiting.has(keyOf(entry))) entry.done(null);
      else this.waiting.set(keyOf(entry), entry);
    }
  }
}
