import { definitionOf } from '@/server/monitor-types/definitions';
import { log } from '@/server/platform/log';
import { isInternalName } from '@/server/platform/net';
import type { BeatFinding, Finding } from '../finding';
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
import { tellEgress } from './tell-egress';

/** The egress check targets, and which monitors it decides about. */
export interface Judged {
  canaries: CanaryTarget[];
  /** Which monitors are judged; by default, those checked over the internet. */
  isJudged?: (plan: Plan) => boolean;
}

export interface EgressOptions extends Judged {
  region: string;
  /** How long a worker that starts may be without a network, in milliseconds. */
  startGraceMs?: number;
  /** How often the egress check is made while all is well. */
  calibrateEveryMs?: number;
  /** Called when the worker's network is lost, and when it is back. */
  onChange?: () => void;
}

/** Checks that fail within this time share one egress check, which starts after the first of them failed. */
const CACHED_FOR_MS = 1_000;
const CALIBRATE_EVERY_MS = 60_000;
/** While our network is down, its return is looked for this often. */
const RETRY_EVERY_MS = 2_000;

const LOST = 'The network of this worker is down, so the status of the target is unknown';

/** Whether a check of the monitor crosses the internet, as far as its address tells. */
export function isOutside({ target, host }: Pick<Plan, 'target' | 'host'>): boolean {
  if (!target) return false;
  // The instance's own name servers answer about names of the internet.
  if (definitionOf(target.type).lookups?.(target.config).length) return true;
  return !isInternalName(host.replace(/^\[|\]$/g, ''));
}

/** Whether a failing finding may be caused by our own network, and a passing one shows that it works. */
export function isEvidence(
  { canaries, isJudged = isOutside }: Judged,
  plan: Plan,
  finding: Finding | BeatFinding,
): finding is Finding {
  if (canaries.length === 0 || 'beat' in finding || finding.verdict.status === 'unknown') return false;
  return isJudged(plan);
}

/** The finding in place of a failure that our own network caused. */
export function toUnknown({ at }: Finding): Finding {
  return { at, observation: null, verdict: { status: 'unknown', error: LOST } };
}

/**
 * Decides of every failing check whether its target is the cause or this worker's own network: the timers and sockets
 * around the rules of `verdict/egress.ts`.
 */
export class Egress {
  private readonly recent = new Recent();
  private state: EgressState;
  private answer: { at: number; isAnswering: Promise<boolean> } | null = null;
  private timer: NodeJS.Timeout | null = null;
  /** Changes that administrators were not notified of yet. */
  private untold: { kind: 'lost' | 'back'; at: Date }[] = [];
  private isTelling = false;
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

  /** To be called after a sleep or another pause of this process: the network state meanwhile is unknown. */
  wake(): void {
    this.state = afterSleep(this.state, performance.now());
    this.answer = null;
  }

  /** How long ago, in milliseconds, the egress check last succeeded and the network was lost; null for never. */
  get ages(): EgressAges {
    const now = performance.now();
    const { workedAt, lostSince } = this.state;
    return {
      workedMsAgo: workedAt === null ? null : now - workedAt,
      lostMsAgo: lostSince === null ? null : now - lostSince,
    };
  }

  /**
   * The finding as it counts: a failing one that is due to our own network is unknown. A passing one does not wait.
   * @param wasDown whether the monitor was down before this check: then its failing says nothing about our network
   */
  judge(plan: Plan, finding: Finding | BeatFinding, wasDown: boolean): typeof finding | Promise<typeof finding> {
    if (!isEvidence(this.options, plan, finding)) return finding;
    const now = performance.now();
    const isFailing = finding.verdict.status === 'down';
    if (!(wasDown && isFailing)) this.recent.add(plan.monitor.id, isFailing, now);
    this.become(afterFinding(this.state, { isFailing, isMostlyFailing: this.recent.isMostlyFailing(now) }, now));
    if (!isFailing) return finding;
    return this.ask().then((cause) => (cause === 'target' ? finding : toUnknown(finding)));
  }

  private async ask(): Promise<'target' | 'self'> {
    const asked = performance.now();
    if (!this.answer || asked - this.answer.at >= CACHED_FOR_MS) {
      this.answer = { at: asked, isAnswering: this.check(true) };
    }
    const isAnswering = await this.answer.isAnswering;
    const now = performance.now();
    return blame(this.state, { isAnswering, isMostlyPassing: this.recent.isMostlyPassing(now) }, now);
  }

  /** @param hasFailed whether a check has just failed */
  private async check(hasFailed: boolean): Promise<boolean> {
    const isAnswering = await anyOpens(this.options.canaries);
    const now = performance.now();
    // A worker that was killed meanwhile may have reported a loss whose end nobody reports.
    if (isAnswering && this.state.workedAt === null) this.untold.push({ kind: 'back', at: new Date() });
    const isAccused = (hasFailed || this.recent.isMostlyFailing(now)) && !this.recent.isMostlyPassing(now);
    this.become(afterEgressCheck(this.state, { isAnswering, isAccused }, now));
    return isAnswering;
  }

  private become(next: EgressState): void {
    const wasLost = this.state.lostSince !== null;
    const isLost = next.lostSince !== null;
    this.state = next;
    if (wasLost === isLost) return;
    const kind = isLost ? 'lost' : 'back';
    log.warn({ region: this.options.region, kind }, 'The network state of this worker changed');
    this.untold.push({ kind, at: new Date() });
    this.options.onChange?.();
    this.tickIn(0);
  }

  private async tick(): Promise<void> {
    await this.check(false);
    await this.tell();
    const { calibrateEveryMs = CALIBRATE_EVERY_MS } = this.options;
    const isRestless = this.state.lostSince !== null || this.untold.length > 0;
    this.tickIn(isRestless ? Math.min(RETRY_EVERY_MS, calibrateEveryMs) : calibrateEveryMs);
  }

  private tickIn(waitMs: number): void {
    if (this.timer) clearTimeout(this.timer);
    if (!this.stopped) this.timer = setTimeout(() => void this.tick(), waitMs);
  }

  /** The database may be unreachable as well: what fails is retried with the next egress check. */
  private async tell(): Promise<void> {
    if (this.isTelling) return;
    this.isTelling = true;
    try {
      for (let next = this.untold[0]; next; next = this.untold[0]) {
        await tellEgress(this.options.region, next.kind, next.at);
        this.untold.shift();
      }
    } catch (error) {
      log.warn({ err: error }, 'Administrators could not be notified of the network state yet');
    } finally {
      this.isTelling = false;
    }
  }
}
