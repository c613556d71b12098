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

/** How many checks run at once, in all and against one host. */
export class Slots {
  private readonly all: Semaphore;
  private readonly hosts = new Map<string, Semaphore>();

  constructor(
    total: number,
    private readonly perHost: number,
  ) {
    this.all = new Semaphore(total);
  }

  /** Runs `work` when its turn has come. A host that hangs holds up its own checks alone. */
  async run<T>(host: string, work: () => Promise<T>): Promise<T> {
    const own = this.hosts.get(host) ?? new Semaphore(this.perHost);
    this.hosts.set(host, own);
    await own.acquire();
    try {
      await this.all.acquire();
      try {
        return await work();
      } finally {
        this.all.release();
      }
    } finally {
      own.release();
      if (own.idle) this.hosts.delete(host);
    }
  }
}
