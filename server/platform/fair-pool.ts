import { observeWait } from './metrics/time-buckets';

/** The owner of work: slots are shared by team first, then by host or receiver. */
export interface Share {
  team: string;
  host?: string;
}

export interface FairPoolOptions {
  /** The purpose of the slots; the label of the pool's metrics. */
  kind: string;
  /** The number of slots. */
  slots: number;
  /** The maximum number of slots per host of a team; by default, as many as the team may have. */
  perHost?: number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
  /** Called with the waiting time of each piece of work; by default, the process's metrics. */
  onWait?: (waitedMs: number) => void;
}

interface Waiter {
  order: number;
  start: () => void;
}

/**
 * The slots of a team or host: `running` is the number it holds, `served` the time it has held slots, in milliseconds (as in start-time fair
 * queueing).
 */
interface Account {
  running: number;
  served: number;
}

interface Host extends Account {
  name: string;
  line: Waiter[];
}

interface Team extends Account {
  name: string;
  waiting: number;
  hosts: Map<string, Host>;
}

/** A team that has been absent for this long reserves no slots. */
const PRESENT_FOR_MS = 5 * 60_000;
/** The share of slots that a single active team leaves free for a team that comes back. */
const NEWCOMERS_PART = 1 / 8;

const isBehind = (one: Account, other: Account) =>
  one.running !== other.running ? one.running < other.running : one.served < other.served;

/**
 * Shares a limited number of slots fairly: by team, then by the team's hosts. A free slot goes to the team that holds the fewest, and among equals
 * to the one that was served the least (start-time fair queueing, Goyal et al. 1996). While several teams are present, a team takes another slot
 * only while more are free than it holds (dynamic thresholds, Choudhury and Hahne 1998): running work is not preempted, so some slots stay free for
 * the next team. A single active team leaves an eighth free for the same reason.
 */
export class FairPool {
  private readonly slots: number;
  private readonly perHost: number;
  private readonly now: () => number;
  private readonly onWait: (waitedMs: number) => void;
  private readonly teams = new Map<string, Team>();
  /** Teams with queued work. */
  private readonly lined = new Set<Team>();
  /** When each team was last active, latest last. */
  private readonly present = new Map<string, number>();
  private running = 0;
  private orders = 0;
  /** The service time of the last admitted team. A returning team starts from there, without credit for its absence. */
  private virtualTime = 0;

  constructor({ kind, slots, perHost = slots, now = () => performance.now(), onWait }: FairPoolOptions) {
    this.slots = slots;
    this.perHost = perHost;
    this.now = now;
    this.onWait = onWait ?? ((waitedMs) => observeWait(kind, waitedMs));
  }

  /** The number of callers that wait for a slot. */
  get waiting(): number {
    let sum = 0;
    for (const { waiting } of this.lined) sum += waiting;
    return sum;
  }

  /**
   * Acquires a slot; call the returned function once to release it.
   * @param signal removes the caller from the queue: rejects with the signal's reason
   */
  async enter(share: Share, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    this.arrive(share.team);
    const { team, host } = this.accountsOf(share);
    const cameAt = this.now();
    await this.admitted(team, host, signal);
    const beganAt = this.now();
    this.onWait(beganAt - cameAt);
    return () => this.release(team, host, beganAt);
  }

  /**
   * Runs `work` in a slot; resolves or rejects as it does.
   * @param signal removes it from the queue: rejects with the signal's reason. It does not stop running work.
   */
  async run<T>(share: Share, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.hold(await this.enter(share, signal), work);
  }

  /** Acquires a slot if one is free now; call the returned function once to release it. Otherwise returns null. */
  tryEnter(share: Share): (() => void) | null {
    this.arrive(share.team);
    const { team, host } = this.accountsOf(share);
    if (team.waiting > 0 || !this.mayTake(team) || host.running >= this.perHost) {
      this.forgetIdle(team, host);
      return null;
    }
    this.take(team, host);
    this.onWait(0);
    const beganAt = this.now();
    return () => this.release(team, host, beganAt);
  }

  /** Runs `work` if a slot is free now; otherwise returns null. */
  tryRun<T>(share: Share, work: () => Promise<T>): Promise<T> | null {
    const release = this.tryEnter(share);
    return release && this.hold(release, work);
  }

  private async hold<T>(release: () => void, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Releases a slot, and starts waiting work. */
  private release(team: Team, host: Host, beganAt: number): void {
    const heldMs = this.now() - beganAt;
    for (const account of [team, host]) {
      account.running -= 1;
      account.served += heldMs;
    }
    this.running -= 1;
    this.forgetIdle(team, host);
    this.admit();
  }

  /** Queues the caller. Resolves when it gets a slot, or rejects with the signal's reason. */
  private admitted(team: Team, host: Host, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        host.line.splice(host.line.indexOf(waiter), 1);
        this.dequeue(team);
        this.forgetIdle(team, host);
        reject(signal?.reason);
        this.admit();
      };
      const waiter: Waiter = {
        order: this.orders++,
        start: () => {
          signal?.removeEventListener('abort', giveUp);
          resolve();
        },
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      host.line.push(waiter);
      team.waiting += 1;
      this.lined.add(team);
      this.admit();
    });
  }

  /** Starts waiting work while slots are free. */
  private admit(): void {
    while (this.running < this.slots) {
      let next: Team | undefined;
      for (const team of this.lined) {
        if (this.mayTake(team) && (!next || isBehind(team, next)) && this.nextHost(team)) next = team;
      }
      const host = next && this.nextHost(next);
      if (!next || !host) return;
      const waiter = host.line.shift();
      this.dequeue(next);
      this.take(next, host);
      waiter?.start();
    }
  }

  /** Returns the waiting host of a team that holds the fewest slots; among equals the one whose work came first. Undefined if none may start. */
  private nextHost(team: Team): Host | undefined {
    let next: Host | undefined;
    for (const host of team.hosts.values()) {
      const first = host.line[0];
      if (!first || host.running >= this.perHost) continue;
      const best = next?.line[0];
      if (!next || !best || host.running < next.running || (host.running === next.running && first.order < best.order))
        next = host;
    }
    return next;
  }

  /** Whether a team may take another slot. */
  private mayTake(team: Team): boolean {
    const free = this.slots - this.running;
    return this.isShared() ? team.running < free : free > Math.floor(this.slots * NEWCOMERS_PART);
  }

  private take(team: Team, host: Host): void {
    this.running += 1;
    team.running += 1;
    host.running += 1;
    this.virtualTime = Math.max(this.virtualTime, team.served);
  }

  private dequeue(team: Team): void {
    team.waiting -= 1;
    if (team.waiting === 0) this.lined.delete(team);
  }

  /** Records that a team is active now. */
  private arrive(team: string): void {
    this.present.delete(team);
    this.present.set(team, this.now());
  }

  /** Whether several teams were active in the last 5 min. */
  private isShared(): boolean {
    for (const [team, at] of this.present) {
      if (at > this.now() - PRESENT_FOR_MS) break;
      this.present.delete(team);
    }
    return this.present.size > 1;
  }

  private accountsOf(share: Share): { team: Team; host: Host } {
    let team = this.teams.get(share.team);
    if (!team) {
      team = { name: share.team, running: 0, served: this.virtualTime, waiting: 0, hosts: new Map() };
      this.teams.set(share.team, team);
    }
    const name = share.host ?? '';
    let host = team.hosts.get(name);
    if (!host) {
      host = { name, running: 0, served: 0, line: [] };
      team.hosts.set(name, host);
    }
    return { team, host };
  }

  /** Forgets accounts without waiting or running work, which bounds their number. */
  private forgetIdle(team: Team, host: Host): void {
    if (host.running === 0 && host.line.length === 0) team.hosts.delete(host.name);
    if (team.running === 0 && team.waiting === 0) this.teams.delete(team.name);
  }
}
