import { definitionOf } from '@/server/monitor-types/definitions';
import { isUpsideDown } from '@/server/monitor-types/is-upside-down';
import { log } from '@/server/platform/log';
import { isInternalName } from '@/server/platform/net';
import type { Finding, HeartbeatFinding } from '../finding';
import type { Plan } from '../schedule/plan';
import {
  afterEgressCheck,
  afterFinding,
  afterSleep,
  blame,
  type EgressAges,
  type EgressState,
  initialEgress,
  Recent,
} from '../verdict/egress';
import { anyOpens, type CanaryTarget } from './probe';
import { reportEgress } from './report-egress';

/** The targets of egress checks, and the monitors whose failures count as unknown if an egress check fails. */
export interface Judged {
  canaries: CanaryTarget[];
  /** Whether our own network may cause a monitor's failures; by default, if it is checked over the internet. */
  isJudged?: (plan: Plan) => boolean;
}

export interface EgressOptions extends Judged {
  region: string;
  /** How long a starting worker may be without a network, in milliseconds. */
  startGraceMs?: number;
  /** The interval of egress checks while the network works. */
  calibrateEveryMs?: number;
  /** Called when the worker's network goes down or comes back. */
  onChange?: () => void;
  /** Notifies administrators of that; retried until it succeeds. */
  report?: typeof reportEgress;
}

/** Failing checks within this time share one egress check, which starts after the first of them failed. */
const CACHED_FOR_MS = 1_000;
const CALIBRATE_EVERY_MS = 60_000;
/** The interval of egress checks while our network is down. */
const RETRY_EVERY_MS = 2_000;

const LOST = 'The network of this worker is down, so the status of the target is unknown';

/** Returns whether a check of the monitor crosses the internet, judging by its type and its host. */
export function isOutside({ target, host }: Pick<Plan, 'target' | 'host'>): boolean {
  if (!target) return false;
  const { answersFromCache, lookups } = definitionOf(target.type);
  if (answersFromCache) return false;
  // The instance's own name servers resolve names of the internet.
  if (lookups?.(target.config).length) return true;
  return !isInternalName(host.replace(/^\[|\]$/g, ''));
}

/** Returns whether a finding says something about our own network: it may cause a failure, and a success proves that it works. */
export function isEvidence(
  { canaries, isJudged = isOutside }: Judged,
  plan: Plan,
  finding: Finding | HeartbeatFinding,
): finding is Finding {
  if (canaries.length === 0 || 'event' in finding || finding.verdict.status === 'unknown') return false;
  return isJudged(plan);
}

/** Whether the target failed, as our own network may make it do. The monitor is down then, or up if it is upside down. */
export function hasFailed({ target }: Plan, { verdict }: Finding): boolean {
  return verdict.status === (target && isUpsideDown(target.config) ? 'up' : 'down');
}

/** Whether the target has been failing before, so that another failure says nothing about our own network. */
export const isUsualFailure = ({ target }: Plan, wasDown: boolean) =>
  wasDown || (target !== null && isUpsideDown(target.config));

/** Replaces a failure that our own network caused by the status unknown. */
export function toUnknown({ at }: Finding): Finding {
  return { at, observation: null, verdict: { status: 'unknown', error: LOST } };
}

/**
 * Decides for every failing check whether its target or this worker's own network is the cause. Contains the timers and sockets around the rules of
 * `verdict/egress.ts`.
 */
export class Egress {
  private readonly recent = new Recent();
  private state: EgressState;
  /** The last egress check that a failing check started, and whether a target answered. */
  private answer: { at: number; isAnswering: Promise<boolean> } | null = null;
  private timer: NodeJS.Timeout | null = null;
  /** Changes that were not reported to administrators yet. */
  private unreported: { kind: 'lost' | 'back'; at: Date }[] = [];
  private isReporting = false;
  private stopped = false;

  constructor(private readonly options: EgressOptions) {
    this.state = initialEgress(performance.now(), options.startGraceMs);
  }

  /** Starts the regular egress checks; resolves after the first one. */
  async start(): Promise<void> {
    if (this.options.canaries.length > 0) await this.tick();
  }

  stop(): void {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
  }

  /**
   * Starts the grace period again and discards the last egress check. Call it after the process was suspended, because the state of the network
   * during that time is unknown.
   */
  wake(): void {
    this.state = afterSleep(this.state, performance.now());
    this.answer = null;
  }

  /** The milliseconds since the egress check last succeeded (null for never), and since the network was lost (null if it is not). */
  get ages(): EgressAges {
    const now = performance.now();
    const { workedAt, lostSince } = this.state;
    return {
      workedMsAgo: workedAt === null ? null : now - workedAt,
      lostMsAgo: lostSince === null ? null : now - lostSince,
    };
  }

  /**
   * Returns the finding to record: a failure that our own network caused becomes unknown. Returns a promise only if an egress check is needed.
   * @param wasDown whether the monitor was down before this check; its failure then says nothing about our network
   */
  judge(plan: Plan, finding: Finding | HeartbeatFinding, wasDown: boolean): typeof finding | Promise<typeof finding> {
    if (!isEvidence(this.options, plan, finding)) return finding;
    const now = performance.now();
    const isFailing = hasFailed(plan, finding);
    if (!(isFailing && isUsualFailure(plan, wasDown))) this.recent.add(plan.monitor.id, isFailing, now);
    this.become(afterFinding(this.state, { isFailing, isMostlyFailing: this.recent.isMostlyFailing(now) }, now));
    if (!isFailing) return finding;
    return this.ask().then((cause) => (cause === 'target' ? finding : toUnknown(finding)));
  }

  /** Decides whether a failure is caused by its target or our own network. Reuses an egress check that is younger than `CACHED_FOR_MS`. */
  private async ask(): Promise<'target' | 'self'> {
    const asked = performance.now();
    if (!this.answer || asked - this.answer.at >= CACHED_FOR_MS) {
      this.answer = { at: asked, isAnswering: this.check(true) };
    }
    const isAnswering = await this.answer.isAnswering;
    const now = performance.now();
    return blame(this.state, { isAnswering, isMostlyPassing: this.recent.isMostlyPassing(now) }, now);
  }

  /**
   * Runs an egress check and updates the state.
   * @param hasFailed whether a check has just failed
   * @returns whether a target answered
   */
  private async check(hasFailed: boolean): Promise<boolean> {
    const isAnswering = await anyOpens(this.options.canaries);
    const now = performance.now();
    // A former worker that died may have reported a loss, so the first success of this one reports the recovery.
    if (isAnswering && this.state.workedAt === null) this.unreported.push({ kind: 'back', at: new Date() });
    const isAccused = (hasFailed || this.recent.isMostlyFailing(now)) && !this.recent.isMostlyPassing(now);
    this.become(afterEgressCheck(this.state, { isAnswering, isAccused }, now));
    return isAnswering;
  }

  /** Sets the state. If the network was lost or is back, logs that and reports it to administrators. */
  private become(next: EgressState): void {
    const wasLost = this.state.lostSince !== null;
    const isLost = next.lostSince !== null;
    this.state = next;
    if (wasLost === isLost) return;
    const kind = isLost ? 'lost' : 'back';
    log.warn({ region: this.options.region, kind }, 'The network state of this worker changed');
    this.unreported.push({ kind, at: new Date() });
    this.options.onChange?.();
    this.tickIn(0);
  }

  /** Runs a regular egress check, sends pending reports, and schedules the next tick. */
  private async tick(): Promise<void> {
    await this.check(false);
    await this.report();
    const { calibrateEveryMs = CALIBRATE_EVERY_MS } = this.options;
    const isRestless = this.state.lostSince !== null || this.unreported.length > 0;
    this.tickIn(isRestless ? Math.min(RETRY_EVERY_MS, calibrateEveryMs) : calibrateEveryMs);
  }

  private tickIn(waitMs: number): void {
    if (this.timer) clearTimeout(this.timer);
    if (!this.stopped) this.timer = setTimeout(() => void this.tick(), waitMs);
  }

  /** Reports changes of the network in order. If that fails, because the database may be unreachable too, retries after the next egress check. */
  private async report(): Promise<void> {
    if (this.isReporting) return;
    this.isReporting = true;
    try {
      for (let next = this.unreported[0]; next; next = this.unreported[0]) {
        await (this.options.report ?? reportEgress)(this.options.region, next.kind, next.at);
        this.unreported.shift();
      }
    } catch (error) {
      log.warn({ err: error }, 'Administrators could not be notified of the network state yet');
    } finally {
      this.isReporting = false;
    }
  }
}
