import { failsToConnect } from '@/server/monitor-types/probes';
import { log } from '@/server/platform/log';
import { periodAt } from '@/server/time/edges';
import { type Claim, dueNow, isDueAt } from './claim';
import type { Clock } from './clock';
import type { Plan } from './plan';

/** A test that was planned longer ago first reads from the database whether the check is still due at the same time. */
const KNOWN_FOR_MS = 60_000;
/**
 * After this many failing tests in a row, each followed by a passing check, tests stop, because some servers reject connections without a request.
 */
const MOST_IN_VAIN = 3;
const MOST_KEPT = 50_000;

interface Options {
  clock: Pick<Clock, 'now'>;
  signal: AbortSignal;
  /** Runs a test in a slot for checks. */
  inTurn: (plan: Plan, work: () => Promise<void>) => void;
  /** Whether this worker's own network is down, so that a failing test says nothing. */
  isLost: () => boolean;
  /** Called when a check was made due. */
  onDue: () => void;
}

/**
 * Tests the connections of the monitors that this worker checked last, halfway between two checks. A failing test makes the next check due now; only
 * the result of that check counts. A passing test is not recorded.
 */
export class ConnectionTests {
  private readonly timers = new Map<string, NodeJS.Timeout>();
  /** The number of failing tests in a row of each monitor, and its version. */
  private readonly failing = new Map<string, { version: number; count: number }>();

  constructor(private readonly options: Options) {}

  /**
   * Plans the test before the next check of a monitor that is up. After `MOST_IN_VAIN`, a monitor has no tests until it is edited or the worker
   * restarts.
   */
  plan({ claim, plan }: { claim: Claim; plan: Plan }, dueAt: Date): void {
    const { monitorId, state } = claim;
    this.forget(monitorId);
    if (!plan.testsConnection) return;
    if (this.failures(claim) >= MOST_IN_VAIN || this.timers.size >= MOST_KEPT) return;
    const halfMs = plan.monitor.intervalSeconds * 500;
    const testAt = new Date(dueAt.getTime() - halfMs);
    const waitMs = testAt.getTime() - this.options.clock.now().getTime();
    if (waitMs <= 0 || waitMs > halfMs || periodAt(state.checkPauses, testAt)) return;
    // A weak reference, so that the plan of a deleted monitor does not stay in memory. `Plans` keeps those of the others.
    const kept = new WeakRef(plan);
    const start = () => {
      this.timers.delete(monitorId);
      const present = kept.deref();
      if (present) this.options.inTurn(present, () => this.test(claim, present, { dueAt, waitMs }));
    };
    this.timers.set(monitorId, setTimeout(start, waitMs));
  }

  /** Cancels the test of a monitor that is checked now. */
  forget(monitorId: string): void {
    clearTimeout(this.timers.get(monitorId));
    this.timers.delete(monitorId);
  }

  stop(): void {
    for (const monitorId of this.timers.keys()) this.forget(monitorId);
  }

  private async test(claim: Claim, plan: Plan, { dueAt, waitMs }: { dueAt: Date; waitMs: number }): Promise<void> {
    const { clock, signal, isLost, onDue } = this.options;
    if (!plan.target || isLost() || clock.now() >= dueAt) return;
    try {
      if (waitMs > KNOWN_FOR_MS && !(await isDueAt(claim, dueAt))) return;
      const isFailing = await failsToConnect(plan.target, { signal, teamId: plan.monitor.teamId });
      this.note(claim, isFailing);
      if (isFailing && !isLost() && (await dueNow(claim, dueAt))) onDue();
    } catch (error) {
      log.debug({ err: error, monitor: claim.monitorId }, 'A connection test was aborted');
    }
  }

  private failures({ monitorId, version }: Claim): number {
    const failing = this.failing.get(monitorId);
    return failing?.version === version ? failing.count : 0;
  }

  private note(claim: Claim, isFailing: boolean): void {
    const { monitorId, version } = claim;
    const count = this.failures(claim) + 1;
    if (this.failing.size >= MOST_KEPT) this.failing.clear();
    if (isFailing) this.failing.set(monitorId, { version, count });
    else this.failing.delete(monitorId);
  }
}
