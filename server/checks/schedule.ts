import { setMaxListeners } from 'node:events';
import { listen } from '@/server/platform/listen';
import { log } from '@/server/platform/log';
import { type Claim, claimDue, LEASE_MS, releaseClaims, renewClaims, spreadOverdue } from './claim';
import { Clock } from './clock';
import { Egress, type EgressOptions } from './egress';
import { type Plan, Plans } from './plan';
import { Recorder } from './recorder';
import { runCheck } from './run';
import { Slots } from './slots';

/** Monitors are claimed this long before they are due, and fired when they are. */
const AHEAD_MS = 1_000;
/** Between two looks at the schedule, unless something is due sooner or somebody calls. */
const SHORTEST_SLEEP_MS = 500;
const LONGEST_SLEEP_MS = 1_500;
/** Claims of running checks are renewed when less than this is left of them. */
const RENEW_BELOW_MS = LEASE_MS - 2_000;
/** After so long without a look (a start, a sleeping machine, a database that was away) what is overdue is spread. */
const PAUSE_MS = 10_000;
const MOST_HELD = 5_000;
const CHECKS_PER_HOST = 20;

interface Held {
  claim: Claim;
  plan: Plan;
  timer: NodeJS.Timeout;
}

export interface SchedulerOptions {
  /** Unique among all processes. */
  worker: string;
  region: string;
  /** How many checks run at once. */
  concurrency: number;
  /** How the worker knows its own network; left out, it never doubts it. */
  egress?: Omit<EgressOptions, 'region'>;
}

/** Claims due monitors, checks each at its due millisecond, and hands the results to be recorded. */
export class Scheduler {
  private readonly clock = new Clock();
  private readonly plans = new Plans();
  private readonly egress: Egress;
  private readonly slots: Slots;
  private readonly recorder: Recorder;
  private readonly held = new Map<string, Held>();
  private readonly running = new Set<Promise<void>>();
  private readonly abort = new AbortController();
  private lastLook = Number.NEGATIVE_INFINITY;
  /** When to look again, in milliseconds of the epoch; `rouse` ends the present sleep. */
  private wakeAt = 0;
  private rouse: () => void = () => undefined;
  private stopping = false;
  private loop: Promise<void> = Promise.resolve();
  private unlisten: (() => void)[] = [];

  constructor(private readonly options: SchedulerOptions) {
    this.slots = new Slots(options.concurrency, CHECKS_PER_HOST);
    this.recorder = new Recorder(options.worker);
    this.egress = new Egress({ canaries: [], ...options.egress, region: options.region });
    // Every running check listens.
    setMaxListeners(0, this.abort.signal);
  }

  start(): void {
    this.loop = this.run();
    void this.egress.start();
    const wake = () => this.wake(0);
    void Promise.all([listen('schedule', wake), listen('resumed', wake)]).then((each) => {
      if (this.stopping) for (const stop of each) stop();
      else this.unlisten = each;
    });
  }

  /** Claims no more, lets running checks end for `graceMs`, records what they saw, and gives its claims back. */
  async stop(graceMs: number): Promise<void> {
    this.stopping = true;
    for (const stop of this.unlisten) stop();
    this.wake(0);
    await this.loop;
    for (const { timer } of this.held.values()) clearTimeout(timer);
    const grace = setTimeout(() => this.abort.abort(new Error('The worker stops')), graceMs);
    await Promise.all(this.running);
    this.egress.stop();
    clearTimeout(grace);
    await this.recorder.stop(2_000);
    await releaseClaims(this.options.worker).catch((error: unknown) => {
      log.warn({ err: error }, 'Claims could not be given back; they run out by themselves');
    });
  }

  private async run(): Promise<void> {
    let failures = 0;
    while (!this.stopping) {
      try {
        await this.look();
        failures = 0;
      } catch (error) {
        failures += 1;
        log.warn({ err: error }, 'The schedule could not be read, trying again');
        this.wakeAt = Date.now() + Math.min(2_000, 250 * failures);
      }
      await this.sleep();
    }
  }

  private async look(): Promise<void> {
    this.wakeAt = Date.now() + LONGEST_SLEEP_MS;
    if (performance.now() - this.lastLook > PAUSE_MS) await spreadOverdue();
    const asked = Date.now();
    const room = Math.max(0, MOST_HELD - this.held.size);
    const { claims, nextDueAt, now } = await claimDue(this.options.worker, AHEAD_MS, room);
    this.clock.sample(now, asked);
    const plans = await this.plans.load(claims);
    for (const claim of claims) this.hold(claim, plans.get(claim.monitorId));
    await this.renew();
    this.lastLook = performance.now();
    if (nextDueAt) this.wake(nextDueAt.getTime() - now.getTime() - AHEAD_MS + SHORTEST_SLEEP_MS);
  }

  /** Looks at the schedule again in `inMs`, if not sooner. */
  private wake(inMs: number): void {
    const at = Date.now() + Math.max(0, inMs);
    if (at >= this.wakeAt) return;
    this.wakeAt = at;
    this.rouse();
  }

  private async sleep(): Promise<void> {
    while (!this.stopping && Date.now() < this.wakeAt) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, this.wakeAt - Date.now());
        this.rouse = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  private hold(claim: Claim, plan: Plan | undefined): void {
    // A deleted monitor has no plan. One that is still held here had lost its claim: its result will be refused.
    clearTimeout(this.held.get(claim.monitorId)?.timer);
    if (!plan) return;
    const wait = claim.dueAt.getTime() - this.clock.now().getTime();
    const timer = setTimeout(() => this.fire(held), Math.max(0, wait));
    const held: Held = { claim, plan, timer };
    this.held.set(claim.monitorId, held);
  }

  private fire(held: Held): void {
    const { host, monitor } = held.plan;
    const turn = this.slots.run(monitor.teamId, host, () => this.check(held));
    const check = turn.finally(() => this.running.delete(check));
    this.running.add(check);
  }

  private async check(held: Held): Promise<void> {
    const { claim, plan } = held;
    const isHeld = () => this.held.get(claim.monitorId) === held;
    if (this.stopping || !isHeld()) return;
    try {
      const seen = await runCheck(plan, this.clock, this.abort.signal);
      const finding = await this.egress.judge(plan, seen, claim.state.status === 'down');
      if (!isHeld()) return;
      const { region } = this.options;
      this.recorder.add({ plan, finding, region, takenAt: this.clock.now(), claim }, (dueAt) => {
        if (isHeld()) this.held.delete(claim.monitorId);
        if (dueAt) this.wake(dueAt.getTime() - this.clock.now().getTime() - AHEAD_MS);
      });
    } catch (error) {
      // Only a stop ends a check without a finding.
      log.debug({ err: error, monitor: claim.monitorId }, 'A check was broken off');
    }
  }

  /** Holds on to the claims of checks that wait or run longer than their lease; one that was lost is forgotten. */
  private async renew(): Promise<void> {
    const soon = this.clock.now().getTime() + RENEW_BELOW_MS;
    const ending = [...this.held.values()].filter(({ claim }) => claim.leaseUntil.getTime() < soon);
    if (ending.length === 0) return;
    const renewed = await renewClaims(
      this.options.worker,
      ending.map(({ claim }) => claim.monitorId),
    );
    for (const held of ending) {
      const { monitorId } = held.claim;
      const leaseUntil = renewed.get(monitorId);
      if (leaseUntil) held.claim.leaseUntil = leaseUntil;
      else if (this.held.get(monitorId) === held) {
        clearTimeout(held.timer);
        this.held.delete(monitorId);
      }
    }
  }
}
