import { log } from '@/server/platform/log';
import { takeInTurns } from '@/server/platform/take-in-turns';
import { type WrittenApart, writeApart } from '@/server/platform/write-apart';
import type { BeatFinding, Finding } from '../run/run';
import type { Plan } from '../schedule/plan';
import type { WatchState } from '../verdict/transition';
import type { Recorded } from './record';
import { toRefused } from './refused';
import { Teller } from './teller';

/** Results are gathered this long, unless one may change a status. */
const GATHER_MS = 500;
const MOST_AT_ONCE = 500;
const LONGEST_RETRY_WAIT_MS = 2_000;

interface Recordable {
  plan: Plan;
  finding: Finding | BeatFinding;
  claim: { state: Pick<WatchState, 'status'> } | null;
}

interface Entry<R> {
  result: R;
  /** Called once, with the next due time: null where there is none, or the result did not count. */
  done: (dueAt: Date | null) => void;
}

/**
 * Takes results and records them in batches, one batch at a time. Keeps them while the database is away. A result that cannot be
 * stored holds up no other: the batch is split at once.
 */
export class Recorder<R extends Recordable> {
  /** By monitor: of two results of one, the older has lost its claim. */
  private readonly waiting = new Map<string, Entry<R>>();
  private readonly teller = new Teller();
  private flushing: Promise<void> | null = null;
  private gathering: NodeJS.Timeout | null = null;
  private batchSize = MOST_AT_ONCE;
  private stopped = false;

  /** @param record makes results count, at most one per monitor, and says which did */
  constructor(private readonly record: (results: R[]) => Promise<Recorded>) {}

  add(result: R, done: Entry<R>['done']): void {
    const { id } = result.plan.monitor;
    this.waiting.get(id)?.done(null);
    this.waiting.set(id, { result, done });
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
    await this.teller.flush();
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

  /** The next batch, of each team in turns. */
  private takeBatch(): Entry<R>[] {
    const teamOf = ({ result }: Entry<R>) => result.plan.monitor.teamId;
    const batch = takeInTurns(this.waiting.values(), teamOf, this.batchSize);
    for (const { result } of batch) this.waiting.delete(result.plan.monitor.id);
    return batch;
  }

  /** Records a batch. A result that is refused by itself is recorded as unknown. */
  private async writeBatch(batch: Entry<R>[]): Promise<WrittenApart<Entry<R>>> {
    const write = async (entries: Entry<R>[]) => {
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

  private settle(result: R, recorded: Recorded, done: Entry<R>['done']): void {
    const { id, teamId } = result.plan.monitor;
    if (recorded.has(id)) this.teller.tell(id, teamId);
    done(recorded.get(id) ?? null);
  }

  /** Its claim runs out, and the monitor is checked again. */
  private giveUp({ result, done }: Entry<R>, error: unknown): void {
    log.error({ err: error, monitor: result.plan.monitor.id }, 'A result was dropped because the database rejects it');
    done(null);
  }

  private putBack(batch: Entry<R>[]): void {
    for (const entry of batch) {
      const { id } = entry.result.plan.monitor;
      if (this.waiting.has(id)) entry.done(null);
      else this.waiting.set(id, entry);
    }
  }
}
