/** At most `limit` holders at once; the others wait in line. */
class Semaphore {
  private free: number;
  private readonly line: (() => void)[] = [];

  constructor(private readonly limit: number) {
    this.free = limit;
  }

  async acquire(): Promise<void> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.line.push(resolve));
  }

  release(): void {
    const next = this.line.shift();
    if (next) next();
    else this.free += 1;
  }

  get idle(): boolean {
    return this.free === this.limit;
  }
}

/** Semaphores by name, kept while somebody holds one. */
class Semaphores {
  private readonly kept = new Map<string, Semaphore>();

  constructor(private readonly limit: number) {}

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

/** How many checks run at once: in all, for one team half of that, and for one team against one host. */
export class Slots {
  private readonly all: Semaphores;
  private readonly teams: Semaphores;
  private readonly hosts: Semaphores;

  constructor(total: number, perHost: number) {
    this.all = new Semaphores(total);
    this.teams = new Semaphores(Math.ceil(total / 2));
    this.hosts = new Semaphores(perHost);
  }

  /** Runs `work` when its turn has come. A host that hangs holds up its own checks alone, and a team's hosts that team's. */
  run<T>(team: string, host: string, work: () => Promise<T>): Promise<T> {
    return this.hosts.hold(`${team} ${host}`, () => this.teams.hold(team, () => this.all.hold('', work)));
  }
}
