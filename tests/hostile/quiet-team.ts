import { Scheduler } from '@/server/checks/schedule/schedule';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { nextDue } from '@/server/time/phase';
import { makeMonitors, makeTeam } from '@/tests/integration/checks/monitors';
import { until } from '@/tests/support/receivers';

const MONITORS = 20;
const INTERVAL_SECONDS = 5;
const EARLY_MS = 50;

export interface Lateness {
  checks: number;
  p50: number;
  p99: number;
  most: number;
}

/** Another team, whose monitors are due four times a second in total. */
export interface QuietTeam {
  /** How late its checks began since `from`. Asserts that all of them found their targets up. */
  lateness(from: Date): Promise<Lateness & { notUp: string[] }>;
  stop(): Promise<void>;
}

const at = (sorted: number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

export async function startQuietTeam(port: number): Promise<QuietTeam> {
  const url = `http://127.0.0.1:${port}/`;
  const config = { timeoutMs: 10_000 };
  const monitors = await makeMonitors(
    await makeTeam(),
    Array.from({ length: MONITORS }, () => ({ url, config, intervalSeconds: INTERVAL_SECONDS })),
  );
  const nums = monitors.map(({ num }) => num);
  const scheduler = new Scheduler({ worker: newId(), region: 'quiet', concurrency: 50 });
  scheduler.start();
  // The first check is due at once, regardless of the others.
  const firstChecked = async () =>
    (await db.check.groupBy({ by: ['monitorNum'], where: { monitorNum: { in: nums } } })).length;
  await until(async () => (await firstChecked()) === MONITORS, 30_000, 'The first check of each monitor');
  return {
    async lateness(from) {
      const rows = await db.check.findMany({
        where: { monitorNum: { in: nums }, at: { gte: from } },
        orderBy: { at: 'asc' },
      });
      const late = rows.map(({ monitorNum, at: began }) => {
        // With clocks in milliseconds, a check may begin just before its due time.
        const due = nextDue(
          { monitorNum, intervalSeconds: INTERVAL_SECONDS },
          new Date(began.getTime() + EARLY_MS - INTERVAL_SECONDS * 1000),
        );
        return Math.max(0, began.getTime() - due.getTime());
      });
      const gaps = nums.flatMap((num) => {
        const times = rows.filter(({ monitorNum }) => monitorNum === num).map(({ at: began }) => began.getTime());
        return times.slice(1).map((time, index) => time - (times[index] ?? time) - INTERVAL_SECONDS * 1000);
      });
      const sorted = late.sort((a, b) => a - b);
      const notUp = rows.filter(({ status }) => status !== 'up').map(({ status, error }) => `${status}: ${error}`);
      return {
        checks: rows.length,
        p50: at(sorted, 0.5),
        p99: at(sorted, 0.99),
        most: Math.max(at(sorted, 1), ...gaps),
        notUp,
      };
    },
    stop: () => scheduler.stop(2_000),
  };
}
