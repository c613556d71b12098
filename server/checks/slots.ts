/** At most `limit()` holders at once; the others wait in line. */
class Semaphore {
  private holders = 0;
  private readonly line: (() => void)[] = [];

  constructor(private readonly limit: () => number) {}

  acquire(): Promise<void> {
    return new Promise((resolve) => {
      this.line.push(resolve);
      this.admit();
    });
  }

  release(): void {
    this.holders -= 1;
    this.admit();
  }

  private admit(): void {
    while (this.line.length > 0 && this.holders < this.limit()) {
      this.holders += 1;
      this.line.shift()?.();
    }
  }

  get idle(): boolean {
    return this.holders === 0 && this.line.length === 0;
  }
}

/** Semaphores by name, kept while somebody holds one. */
class Semaphores {
  private readonly kept = new Map<string, Semaphore>();

  constructor(private readonly limit: () => number) {}

  async hold<T>(name: string, work: () => Promise<T>): Promise<T> {
    const own = this.kept.get(name) ?? new Semaphore(this.limit);
    this.kept.set(name, own);
    await own.acquire();
    try {
      return await work();
    } finally {
      own.release();
      if (own.idle) this.kept.delete(name);
    }
  }
}

/** A team that has not been seen for so long does not keep slots from another. */
const SEEN_FOR_MS = 5 * 60_000;

/**
 * How many checks run at once: in all, for one team against one host, and for one team half of all while another team
 * is about. A team alone has all: the other half is kept free for somebody, not for nobody.
 */
export class Slots {
  private readonly all: Semaphores;
  private readonly teams: Semaphores;
  private readonly hosts: Semaphores;
  /** When each team last came, the latest last. */
  private readonly seen = new Map<string, number>();

  /** `now` is a clock in milliseconds. */
  constructor(
    total: number,
    perHost: number,
    private readonly now = () => performance.now(),
  ) {
    this.all = new Semaphores(() => total);
    this.teams = new Semaphores(() => (this.isShared() ? Math.ceil(total / 2) : total));
    this.hosts = new Semaphores(() => perHost);
  }

  /** Runs `work` when its turn has come. A host that hangs holds up its own checks alone, and a team's hosts that team's. */
  run<T>(team: string, host: string, work: () => Promise<T>): Promise<T> {
    this.seen.delete(team);
    this.seen.set(team, this.now());
    return this.hosts.hold(`${team} ${host}`, () => this.teams.hold(team, () => this.all.hold('', work)));
  }

  private isShared(): boolean {
    for (const [team, at] of this.seen) {
      if (at > this.now() - SEEN_FOR_MS) break;
      this.seen.delete(team);
    }
    return this.seen.size > 1;
  }
}
