import { setMaxListeners } from 'node:events';
import type { Verdict } from '@/server/monitor-types/probing/observation';
import { FairPool } from '@/server/platform/fair-pool';
import { log } from '@/server/platform/log';
import { LoopShare } from '@/server/platform/loop-share';
import type { Finding, HeartbeatFinding } from '../finding';
import { Recorder } from '../record/recorder';
import { Egress, type EgressOptions } from '../run/egress';
import { runCheck } from '../run/run';
import { speaksAgainst } from '../verdict/speaks-against';
import { type Claim, claimKey, LEASE_MS } from './claim';
import { Clock, Stopwatch } from './clock';
import { ConnectionTests } from './connection-tests';
import { Lateness } from './lateness';
import type { Plan } from './plan';
import { Presence } from './presence';
import { databaseSource, type ScheduleSource } from './source';
import { type UpcomingCheck, UpcomingChecks } from './upcoming';

/** How long before they are due monitors are claimed. Checks start when they are due. */
const AHEAD_MS = 1_000;
/** The minimum and maximum time between two polls of the schedule, unless a check is due sooner or a NOTIFY arrives. */
const SHORTEST_SLEEP_MS = 500;
const LONGEST_SLEEP_MS = 1_500;
/** Claims of checks that wait or run are renewed when less than this part of their lease is left. */
const RENEW_BELOW = 0.6;
/** If the last poll is longer ago (a start, a sleeping machine, an unreachable database), overdue checks are spread. */
const PAUSE_MS = 10_000;
/** The maximum number of claims that a worker holds; checks that are claimed wait for a slot. */
const MOST_HELD = 5_000;
const CHECKS_PER_HOST = 20;

interface Held {
  claim: Claim;
  plan: Plan;
  timer: NodeJS.Timeout;
}

const keyOf = ({ monitorId, region }: Claim) => claimKey(monitorId, region);

/** Returns whether a check only looks for regions that have stopped reporting: that of the own row of a monitor with regions. */
const isSilenceCheck = ({ claim, plan }: Pick<Held, 'claim' | 'plan'>) =>
  claim.region === '' && plan.regions.length > 0;

/** Returns whether the check may change the monitor's status. It then bypasses the DNS cache, so that a changed address is noticed. */
const isConfirming = ({ status, turnedAt }: Claim['state']) =>
  (status !== 'up' && status !== 'degraded') || turnedAt !== null;

/** Returns whether the target answered, however slowly. */
const isAnswer = ({ status }: Verdict) => status === 'up' || status === 'degraded';

export interface SchedulerOptions {
  /** Unique among all processes. */
  worker: string;
  region: string;
  /** The maximum number of concurrent checks. */
  concurrency: number;
  mostHeld?: number;
  /** How long a claim lasts beyond its due time or last renewal. */
  leaseMs?: number;
  clock?: Clock;
  /** The egress checks; without them, every failure counts. */
  egress?: Omit<EgressOptions, 'region' | 'onChange'>;
}

/** Claims due monitors from a source (for a worker, the database), starts each check at its due millisecond, and records the results. */
export class Scheduler {
  private readonly upcoming = new UpcomingChecks();
  private readonly clock: Clock;
  private readonly tests: ConnectionTests;
  private readonly egress: Egress;
  private readonly slots: FairPool;
  /** Spreads the starts of checks over turns of the event loop: after a stall, hundreds are overdue at once. */
  private readonly starts = new LoopShare();
  private readonly mostHeld: number;
  private readonly recorder: Recorder;
  private readonly lateness = new Lateness(performance.now());
  private readonly presence: Presence;
  private readonly held = new Map<string, Held>();
  private readonly running = new Set<Promise<void>>();
  private readonly abort = new AbortController();
  /** Measures the time since the last poll. */
  private readonly sincePoll = new Stopwatch();
  /** When to poll again, by the monotonic clock, because the wall clock may be set back. `endSleep` ends the current sleep. */
  private wakeAt = 0;
  private endSleep: () => void = () => undefined;
  private stopping = false;
  private loop: Promise<void> = Promise.resolve();
  private planning: Promise<void> | null = null;
  private unlisten: (() => void)[] = [];

  constructor(
    private readonly options: SchedulerOptions,
    private readonly source: ScheduleSource = databaseSource(options.worker, options.region),
  ) {
    this.clock = options.clock ?? new Clock();
    this.slots = new FairPool({ kind: 'check', slots: options.concurrency, perHost: CHECKS_PER_HOST });
    const { region, mostHeld = MOST_HELD } = options;
    const { reportEgress: report } = source;
    this.mostHeld = mostHeld;
    this.recorder = new Recorder((results) => source.recordResults(results));
    this.egress = new Egress({
      canaries: [],
      report,
      ...options.egress,
      region,
      onChange: () => this.presence.report(),
    });
    this.presence = new Presence(source.presence, this.lateness, () => this.egress.ages);
    this.tests = new ConnectionTests({
      clock: this.clock,
      signal: this.abort.signal,
      inTurn: (plan, work) => this.inTurn(plan, work),
      isLost: () => this.egress.ages.lostMsAgo !== null,
      onDue: () => this.wake(0),
    });
    // Every running check adds a listener.
    setMaxListeners(0, this.abort.signal);
  }

  start(): void {
    this.presence.start();
    this.loop = this.run();
    void this.egress.start().then(() => this.presence.report());
    const wake = () => this.wake(0);
    void this.source.listen(wake).then((each) => {
      if (this.stopping) for (const stop of each) stop();
      else this.unlisten = each;
    });
  }

  /** Stops claiming, lets running checks finish for `graceMs`, records their results, and releases its claims. */
  async stop(graceMs: number): Promise<void> {
    this.stopping = true;
    this.tests.stop();
    for (const stop of this.unlisten) stop();
    this.wake(0);
    await this.loop;
    await this.planning;
    for (const { timer } of this.held.values()) clearTimeout(timer);
    const grace = setTimeout(() => this.abort.abort(new Error('The worker is stopping')), graceMs);
    await Promise.all(this.running);
    this.egress.stop();
    clearTimeout(grace);
    await this.recorder.stop(2_000);
    await this.source.releaseClaims().catch((error: unknown) => {
      log.warn({ err: error }, 'Claims could not be released; they will expire');
    });
    await this.presence.stop();
  }

  private async run(): Promise<void> {
    let failures = 0;
    while (!this.stopping) {
      try {
        await this.poll();
        failures = 0;
      } catch (error) {
        failures += 1;
        log.warn({ err: error }, 'The schedule could not be read; retrying');
        this.wakeAt = performance.now() + Math.min(2_000, 250 * failures);
      }
      const works = { isClaiming: failures === 0, isRecording: !this.recorder.isFailing };
      if (this.source.continuesAlone)
        for (const check of this.upcoming.takeDue(this.clock.now(), works)) this.checkUnclaimed(check);
      await this.sleep();
    }
  }

  /** Renews claims, claims the checks that are due next, starts their timers, and sets when to poll again. */
  private async poll(): Promise<void> {
    this.wakeAt = performance.now() + LONGEST_SLEEP_MS;
    // Comes first, so that held checks are not claimed a second time after a pause.
    await this.renew();
    if (this.sincePoll.elapsedMs > PAUSE_MS) {
      if (Number.isFinite(this.sincePoll.elapsedMs)) this.egress.wake();
      await this.source.afterPause();
    }
    const [asked, askedAt] = [Date.now(), performance.now()];
    const { room, without } = this.room();
    const { claims, nextDueAt, isUnplanned, now } = await this.source.claimDue(AHEAD_MS, room, without);
    this.clock.sample(now, asked);
    if (this.clock.wasSetBack(now, askedAt)) await this.bringBack();
    this.upcoming.claimedUntil(new Date(now.getTime() + AHEAD_MS));
    for await (const part of this.source.plans.inParts(claims))
      for (const { of: claim, plan } of part) this.hold(claim, plan);
    this.sincePoll.restart();
    if (isUnplanned) this.plan();
    if (room > 0 && claims.length === room) this.wake(SHORTEST_SLEEP_MS);
    if (nextDueAt) this.wake(Math.max(0, nextDueAt.getTime() - now.getTime() - AHEAD_MS) + SHORTEST_SLEEP_MS);
  }

  /**
   * Returns how many checks to claim, and the teams whose checks are not claimed, because they hold at least as many claims as are free (like slots
   * in `FairPool`). Otherwise the waiting checks of a team whose targets hang would fill this worker, and those of others would not be claimed.
   */
  private room(): { room: number; without: string[] } {
    const free = Math.max(0, this.mostHeld - this.held.size);
    const counts = new Map<string, number>();
    for (const { plan } of this.held.values()) {
      const { teamId } = plan.monitor;
      counts.set(teamId, (counts.get(teamId) ?? 0) + 1);
    }
    const without = [...counts].filter(([, held]) => held >= free).map(([teamId]) => teamId);
    return { room: Math.ceil(free / 2), without };
  }

  /** Plans maintenance in the background. Checks continue, except those of unplanned monitors, which are claimed afterwards. */
  private plan(): void {
    this.planning ??= this.source
      .planMaintenance(() => this.stopping)
      .catch((error: unknown) => log.warn({ err: error }, 'Maintenance could not be planned; retrying'))
      .finally(() => {
        this.planning = null;
        this.wake(0);
      });
  }

  private async bringBack(): Promise<void> {
    const states = await this.source.bringBack();
    if (states === 0) return;
    log.warn({ states }, 'The database clock was set back; the schedule continues from the current time');
    this.wake(0);
  }

  /** Polls the schedule in `inMs`, unless a poll is due sooner. */
  private wake(inMs: number): void {
    const at = performance.now() + Math.max(0, inMs);
    if (at >= this.wakeAt) return;
    this.wakeAt = at;
    this.endSleep();
  }

  private async sleep(): Promise<void> {
    while (!this.stopping && performance.now() < this.wakeAt) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, this.wakeAt - performance.now());
        this.endSleep = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** Holds a claimed check and starts the timer for its due time. */
  private hold(claim: Claim, plan: Plan | undefined): void {
    // If this worker still holds the check, its former claim was lost, so the result of that one counts without a claim.
    const before = this.held.get(keyOf(claim));
    if (before) this.lose(before);
    this.upcoming.forget(claim);
    this.tests.forget(claim.monitorId);
    // A deleted monitor has no plan.
    if (!plan) return;
    const wait = claim.dueAt.getTime() - this.clock.now().getTime();
    const timer = setTimeout(() => this.enqueueCheck(held), Math.max(0, wait));
    const held: Held = { claim, plan, timer };
    this.held.set(keyOf(claim), held);
  }

  private enqueueCheck(held: Held): void {
    this.inTurn(held.plan, () => this.check(held));
  }

  private inTurn({ host, monitor }: Plan, work: () => Promise<void>): void {
    const { teamId } = monitor;
    const turn = this.slots.run({ team: teamId, host }, async () => {
      await this.starts.take(teamId);
      await work();
    });
    const check = turn.finally(() => this.running.delete(check));
    this.running.add(check);
  }

  /** Runs a check without a claim while the database grants no claims or records no results. Its result is recorded later. */
  private checkUnclaimed(next: UpcomingCheck): void {
    const { claim, plan } = next;
    this.inTurn(plan, async () => {
      if (this.stopping) return;
      try {
        const seen = await this.makeCheck(next);
        const finding = await this.egress.judge(plan, seen, claim.state.status === 'down');
        if ('event' in finding) return;
        this.upcoming.note(next, finding);
        const { region } = this.options;
        const done = () => this.upcoming.settle(claim, null);
        this.recorder.addLater({ plan, finding, region, takenAt: this.clock.now(), claim: null }, done);
      } catch (error) {
        log.debug({ err: error, monitor: claim.monitorId }, 'A check was aborted');
      }
    });
  }

  private async check(held: Held): Promise<void> {
    const { claim, plan } = held;
    const isHeld = () => this.held.get(keyOf(claim)) === held;
    if (this.stopping || !isHeld()) return;
    const done = (dueAt: Date | null) => {
      if (isHeld()) this.held.delete(keyOf(claim));
      this.upcoming.settle(claim, dueAt);
      if (dueAt) this.wake(dueAt.getTime() - this.clock.now().getTime() - AHEAD_MS);
    };
    if (!isSilenceCheck(held)) this.lateness.observe(this.clock.now().getTime() - claim.dueAt.getTime());
    try {
      const seen = await this.makeCheck(held);
      const finding = await this.egress.judge(plan, seen, claim.state.status === 'down');
      // Even if the claim was lost: a database that restarts loses claims, and grants no new ones while its disk is full.
      if (!('event' in finding)) this.upcoming.note(held, finding);
      if (!isHeld()) return;
      const { region } = this.options;
      const isUp = 'verdict' in finding && isAnswer(finding.verdict);
      const recorded = (dueAt: Date | null) => {
        done(dueAt);
        if (dueAt && isUp && !this.stopping) this.tests.plan(held, dueAt);
      };
      this.recorder.add({ plan, finding, region, takenAt: this.clock.now(), claim }, recorded);
    } catch (error) {
      // A check only rejects when the worker stops.
      log.debug({ err: error, monitor: claim.monitorId }, 'A check was aborted');
    }
  }

  private async makeCheck(held: Pick<Held, 'claim' | 'plan'>): Promise<Finding | HeartbeatFinding> {
    if (isSilenceCheck(held)) return { at: this.clock.now(), event: { kind: 'silence' } };
    const { claim, plan } = held;
    return runCheck(plan, this.clock, {
      signal: this.abort.signal,
      fresh: isConfirming(claim.state),
      keepsEvidence: (verdict) => speaksAgainst(claim.state, verdict, plan.policy),
      region: this.options.region,
    });
  }

  /** Renews the claims of checks that wait or run longer than their lease. Gives up those that were lost. */
  private async renew(): Promise<void> {
    const { leaseMs = LEASE_MS } = this.options;
    const soon = this.clock.now().getTime() + leaseMs * RENEW_BELOW;
    const ending = [...this.held.values()].filter(({ claim }) => claim.leaseUntil.getTime() < soon);
    if (ending.length === 0) return;
    const ids = [...new Set(ending.map(({ claim }) => claim.monitorId))];
    const renewed = await this.source.renewClaims(ids);
    for (const held of ending) {
      const leaseUntil = renewed.get(keyOf(held.claim));
      if (leaseUntil) held.claim.leaseUntil = leaseUntil;
      else if (this.held.get(keyOf(held.claim)) === held) this.lose(held);
    }
  }

  /**
   * Gives up a check whose claim expired and was taken by somebody else. A result that is already waiting counts without the claim, if the source
   * accepts that.
   */
  private lose({ claim, timer }: Held): void {
    clearTimeout(timer);
    this.held.delete(keyOf(claim));
    if (this.source.continuesAlone) this.recorder.disown(keyOf(claim));
    else this.recorder.drop(keyOf(claim));
  }
}
