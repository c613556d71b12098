import { db } from '@/server/platform/db';
import { log } from '@/server/platform/log';
import { version } from '@/server/platform/version';
import type { Lateness } from './lateness';

const SAY_EVERY_MS = 10_000;
/** Who has not said so for this long is gone. */
export const GONE_AFTER_SECONDS = 35;

/** Says in the database that a worker is there and how late its checks begin, and forgets those who have not said so for a while. */
export class Presence {
  private timer: NodeJS.Timeout | null = null;
  private saying: Promise<void> = Promise.resolve();

  constructor(
    private readonly worker: string,
    private readonly region: string,
    private readonly lateness: Lateness,
  ) {}

  start(): void {
    this.say();
    this.timer = setInterval(() => this.say(), SAY_EVERY_MS);
  }

  /** Never rejects: a row that stays is forgotten by the others. */
  async stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.saying;
    await db.$executeRaw`delete from workers where id = ${this.worker}`.catch(() => undefined);
  }

  private say(): void {
    this.saying = this.write().catch((error: unknown) => {
      log.warn({ err: error }, 'The worker could not say that it is there, trying again soon');
    });
  }

  private async write(): Promise<void> {
    const { counts, totalMs, perMinute, p99Ms } = this.lateness.figures(performance.now());
    await db.$executeRaw`
      insert into workers (id, region, version, lateness, lateness_ms, checks_per_minute, lateness_p99_ms)
      values (${this.worker}, ${this.region}, ${version}, ${counts}::int8[], ${totalMs}::float8, ${perMinute}::float8,
        ${p99Ms}::float8)
      on conflict (id) do update set seen_at = now(), lateness = excluded.lateness, lateness_ms = excluded.lateness_ms,
        checks_per_minute = excluded.checks_per_minute, lateness_p99_ms = excluded.lateness_p99_ms`;
    await db.$executeRaw`
      delete from workers where id in (
        select id from workers where seen_at < now() - ${GONE_AFTER_SECONDS}::int * interval '1 s'
        order by id for update skip locked)`;
  }
}
