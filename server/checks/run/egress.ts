import { log } from '@/server/platform/log';
import type { Plan } from '../schedule/plan';
import { blame, type CanaryAges, type CanaryState, Recent } from '../verdict/canary';
import { isOutside } from './is-outside';
import { anyOpens, type CanaryTarget } from './probe';
import type { BeatFinding, Finding } from './run';
import { tellEgress } from './tell-egress';

/** What is asked, and of which failures. */
export interface Judged {
  canaries: CanaryTarget[];
  /** Which monitors are judged: those over the internet unless told otherwise. */
  isJudged?: (plan: Plan) => boolean;
}

export interface EgressOptions extends Judged {
  region: string;
  /** How often the canary is asked while all is well. */
  calibrateEveryMs?: number;
  /** Called when the worker's network is lost, and when it is back. */
  onChange?: () => void;
}

/** One answer is for all who doubt within this time; what was seen before anybody doubted is no answer. */
const CACHED_FOR_MS = 1_000;
const CALIBRATE_EVERY_MS = 60_000;
/** While our network is down, its return is looked for this often. */
const RETRY_EVERY_MS = 2_000;

/** So many answers in a row, most others being well, and it is the canary that is gone, not our network. */
const ANSWERS_AGAINST_CANARY = 3;

const LOST = 'The network of this worker is down, so the status of the target is unknown';

/** Whether a finding may be our own network's, or tells of it: a monitor that was down before tells nothing new. */
export function isEvidence(
  { canaries, isJudged = isOutside }: Judged,
  plan: Plan,
  finding: Finding | BeatFinding,
  wasDown: boolean,
): finding is Finding {
  if (canaries.length === 0 || 'beat' in finding || finding.verdict.status === 'unknown') return false;
  return !wasDown && isJudged(plan);
}

/** What a failure comes to that is our own network's. */
export function toUnknown({ at }: Finding): Finding {
  return { at, observation: null, verdict: { status: 'unknown', error: LOST } };
}

/**
 * Decides, when many monitors fail together, whether they are down or this worker's own network is. It goes by the steady
 * clock, which a sleeping machine stops: on waking, what its canary said before is as fresh as what its monitors did.
 */
export class Egress {
  private readonly recent = new Recent();
  private state: CanaryState = { workedAt: null, lostSince: null };
  private answer: { at: number; isAnswering: Promise<boolean> } | null = null;
  private timer: NodeJS.Timeout | null = null;
  /** Answers in a row while our network is down, as far as the canary says. */
  private answered = 0;
  /** What administrators have not been told yet. */
  private untold: { kind: 'lost' | 'back'; at: Date }[] = [];
  private isTelling = false;
  private stopped = false;

  constructor(private readonly options: EgressOptions) {}

  /** Begins to ask the canary now and then; resolves with the first answer. */
  async start(): Promise<void> {
    if (this.options.canaries.length > 0) await this.tick();
  }

  stop(): void {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
  }

  /** How long ago, in milliseconds, the canary answered last, and the network was lost; null where it did not, or was not. */
  get canary(): CanaryAges {
    const now = performance.now();
    const { workedAt, lostSince } = this.state;
    return {
      workedMsAgo: workedAt === null ? null : now - workedAt,
      lostMsAgo: lostSince === null ? null : now - lostSince,
    };
  }

  /**
   * The finding as it counts: a failure that is our own network's is unknown. Ordinary findings do not wait.
   * @param wasDown whether the monitor was down before this check
   */
  judge(plan: Plan, finding: Finding | BeatFinding, wasDown: boolean): typeof finding | Promise<typeof finding> {
    if (!isEvidence(this.options, plan, finding, wasDown)) return finding;
    const isFailing = finding.verdict.status === 'down';
    this.recent.add(plan.monitor.id, isFailing, performance.now());
    const isLost = this.state.lostSince !== null;
    if (isLost) this.doubtCanary(isFailing);
    if (!isFailing || !this.recent.isSuspicious(isLost ? 1 : undefined)) return finding;
    return this.ask().then((who) => (who === 'they' ? finding : toUnknown(finding)));
  }

  /** A canary that stays silent while targets answer is not believed until it answers again. */
  private doubtCanary(isFailing: boolean): void {
    this.answered = isFailing || this.recent.isSuspicious(1) ? 0 : this.answered + 1;
    if (this.answered >= ANSWERS_AGAINST_CANARY) this.become({ workedAt: null, lostSince: null });
  }

  private async ask(): Promise<'they' | 'we'> {
    if (this.state.workedAt === null) return 'they';
    const now = performance.now();
    if (!this.answer || now - this.answer.at >= CACHED_FOR_MS) this.answer = { at: now, isAnswering: this.probe() };
    return blame(this.state, await this.answer.isAnswering, performance.now());
  }

  private async probe(): Promise<boolean> {
    return this.take(await anyOpens(this.options.canaries));
  }

  private take(isAnswering: boolean): boolean {
    const now = performance.now();
    const { lostSince, workedAt } = this.state;
    // A worker that was killed meanwhile may have told of a loss whose end nobody tells.
    if (isAnswering && workedAt === null) this.untold.push({ kind: 'back', at: new Date() });
    if (isAnswering) this.become({ workedAt: now, lostSince: null });
    // A canary that is silent while monitors are well says nothing of us.
    else if (this.recent.isSuspicious() && blame(this.state, false, now) === 'we') {
      this.become({ workedAt, lostSince: lostSince ?? now });
    }
    return isAnswering;
  }

  private become(next: CanaryState): void {
    const wasLost = this.state.lostSince !== null;
    const isLost = next.lostSince !== null;
    this.state = next;
    if (wasLost === isLost) return;
    this.answered = 0;
    const kind = isLost ? 'lost' : 'back';
    log.warn({ region: this.options.region, kind }, 'The network state of this worker changed');
    this.untold.push({ kind, at: new Date() });
    this.options.onChange?.();
    this.tickIn(0);
  }

  private async tick(): Promise<void> {
    await this.probe();
    await this.tell();
    const { calibrateEveryMs = CALIBRATE_EVERY_MS } = this.options;
    const isRestless = this.state.lostSince !== null || this.untold.length > 0;
    this.tickIn(isRestless ? Math.min(RETRY_EVERY_MS, calibrateEveryMs) : calibrateEveryMs);
  }

  private tickIn(waitMs: number): void {
    if (this.timer) clearTimeout(this.timer);
    if (!this.stopped) this.timer = setTimeout(() => void this.tick(), waitMs);
  }

  /** The database may be on the other side of what is down: what cannot be told now is told later. */
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
