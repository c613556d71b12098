import { databaseNow } from '@/server/platform/database-now';
import { db, poolUse } from '@/server/platform/db';
import { log } from '@/server/platform/log';
import { deliveryCounts } from '@/server/platform/metrics/delivery-counts';
import { waitsByKind } from '@/server/platform/metrics/time-buckets';
import { version } from '@/server/platform/version';
import type { EgressAges } from '../verdict/egress';
import type { Lateness, LatenessFigures } from './lateness';

const REPORT_EVERY_MS = 10_000;
/** A worker without an update for this long has stopped. */
export const GONE_AFTER_SECONDS = 35;

/** Workers whose last update is older than this have stopped. Uses the database's clock, because those of machines may differ. */
export async function goneBefore(): Promise<Date> {
  return new Date((await databaseNow()).getTime() - GONE_AFTER_SECONDS * 1000);
}

/** What a process that checks monitors reports of itself. */
export interface PresenceReport {
  lateness: LatenessFigures;
  egress: EgressAges;
}

/** Where a process reports to. */
export interface PresenceSink {
  write(report: PresenceReport): Promise<void>;
  /** Called when the process stops. */
  leave(): Promise<void>;
}

/** Returns where a worker reports to: its row, which also deletes the rows of stopped workers. */
export const presenceOf = (worker: string, region: string): PresenceSink => ({
  async write({ lateness, egress }) {
    const { workedMsAgo, lostMsAgo } = egress;
    const { counts, totalMs, perMinute, p99Ms } = lateness;
    // Raw: the database's clock.
    await db.$executeRaw`
      insert into workers (id, region, version, lateness, lateness_ms, checks_per_minute, lateness_p99_ms,
        canary_at, lost_at, waits, process)
      values (${worker}, ${region}, ${version}, ${counts}::int8[], ${totalMs}::float8, ${perMinute}::float8,
        ${p99Ms}::float8, now() - ${workedMsAgo}::float8 * interval '1 ms',
        now() - ${lostMsAgo}::float8 * interval '1 ms', ${JSON.stringify(waitsByKind())}::jsonb,
        ${JSON.stringify({
          memoryBytes: process.memoryUsage.rss(),
          connections: poolUse(),
          deliveries: deliveryCounts(),
        })}::jsonb)
      on conflict (id) do update set seen_at = now(), lateness = excluded.lateness, lateness_ms = excluded.lateness_ms,
        checks_per_minute = excluded.checks_per_minute, lateness_p99_ms = excluded.lateness_p99_ms,
        canary_at = excluded.canary_at, lost_at = excluded.lost_at, waits = excluded.waits,
        process = excluded.process`;
    // Raw: skips rows that another worker is about to delete.
    await db.$executeRaw`
      delete from workers where id in (
        select id from workers where seen_at < now() - ${GONE_AFTER_SECONDS}::int * interval '1 s'
        order by id for update skip locked)`;
  },
  async leave() {
    await db.worker.deleteMany({ where: { id: worker } });
  },
});

/** Reports a process every 10 s with its lateness and the state of its network. */
export class Presence {
  private timer: NodeJS.Timeout | null = null;
  private reporting: Promise<void> = Promise.resolve();
  private stopped = false;

  /** @param egress what the process knows of its own network, for processes in its region without regular egress checks */
  constructor(
    private readonly sink: PresenceSink,
    private readonly lateness: Lateness,
    private readonly egress: () => EgressAges,
  ) {}

  start(): void {
    this.report();
    this.timer = setInterval(() => this.report(), REPORT_EVERY_MS);
  }

  /** Stops the reports and leaves. Never rejects, because a process without reports counts as stopped anyway. */
  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearInterval(this.timer);
    await this.reporting;
    await this.sink.leave().catch(() => undefined);
  }

  /** Reports now. */
  report(): void {
    this.reporting = this.reporting
      .then(() => this.write())
      .catch((error: unknown) => {
        log.warn({ err: error }, 'The presence of this process could not be reported; retrying soon');
      });
  }

  private async write(): Promise<void> {
    if (this.stopped) return;
    await this.sink.write({ lateness: this.lateness.figures(performance.now()), egress: this.egress() });
  }
}
