import { db } from '@/server/platform/db';
import { log } from '@/server/platform/log';
import type { Plan } from './plan';
import type { Recorded } from './record';
import type { BeatFinding, Finding } from './run';
import { Teller } from './teller';
import type { WatchState } from './transition';

/** Results are gathered this long, unless one may change a status. */
const GATHER_MS = 500;
const MOST_AT_ONCE = 500;
const LONGEST_RETRY_WAIT_MS = 2_000;
/** A result that the database refuses this often, while it takes others, is given up. */
const MOST_REFUSALS = 3;

interface Recordable {
  plan: Plan;
  finding: Finding | BeatFinding;
  claim: { state: Pick<WatchState, 'status'> } | null;
}

interface Entry<R> {
  result: R;
  refusals: number;
  /** Called once, with the next due time: null where there is none, or the result did not count. */
  done: (dueAt: Date | null) => void;
}

/** Takes results and records them in batches, one batch at a time. Keeps them while the database is away. */
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
    this.waiting.set(id, { result, refusals: 0, done });
    const { finding, claim } = result;
    const mayChange = 'beat' in finding || claim?.state.status !== finding.verdict.status;
    if (mayChange || this.waiting.size >= MOST_AT_ONCE) this.flush();
    else this.gathering ??= setTimeout(() => this.flush(), GATHER_MS);
  }

  /** Records what is waiting and resolves when nothing is, or after `timeoutMs`. No more results may be added. */
  async stop(timeoutMs: number): Promise<void> {
    const end = Date.now() + timeoutMs;
    this.flush();
    while (this.flushing && Date.now() < end) {
      await Promise.race([this.flushing, new Promise((resolve) => setTimeout(resolve, end - Date.now()).unref())]);
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
      const batch = this.takeBatch();
      try {
        const recorded = await this.record(batch.map(({ result }) => result));
        for (const { result, done } of batch) this.settle(result, recorded, done);
        this.batchSize = MOST_AT_ONCE;
        wait = 100;
      } catch (error) {
        log.warn({ err: error, results: batch.length }, 'Results could not be recorded, trying again');
        await this.putBack(batch);
        await new Promise((resolve) => setTimeout(resolve, wait));
        wait = Math.min(wait * 2, LONGEST_RETRY_WAIT_MS);
      }
    }
  }

  private takeBatch(): Entry<R>[] {
    const batch = [...this.waiting].slice(0, this.batchSize);
    for (const [id] of batch) this.waiting.delete(id);
    return batch.map(([, entry]) => entry);
  }

  private settle(result: R, recorded: Recorded, done: Entry<R>['done']): void {
    const { id, teamId } = result.plan.monitor;
    if (recorded.has(id)) this.teller.tell(id, teamId);
    done(recorded.get(id) ?? null);
  }

  /** Keeps a refused batch; where the database is well, it is tried in ever smaller parts until the bad one is alone. */
  private async putBack(batch: Entry<R>[]): Promise<void> {
    const alive = await db.$queryRaw`select 1`.then(
      () => true,
      () => false,
    );
    const [only] = batch;
    if (alive && batch.length === 1 && only) {
      only.refusals += 1;
      if (only.refusals >= MOST_REFUSALS) {
        log.error({ monitor: only.result.plan.monitor.id }, 'A result was given up: the database refuses it');
        only.done(null);
        return;
      }
    }
    if (alive) this.batchSize = Math.max(1, Math.floor(batch.length / 2));
    for (const entry of batch) {
      const { id } = entry.result.plan.monitor;
      if (this.waiting.has(id)) entry.done(null);
      else this.waiting.set(id, entry);
    }
  }
}
