import { planAhead } from '@/server/maintenance/plan-ahead';
import { listen } from '@/server/platform/listen';
import { type Recorded, recordResults } from '../record/record';
import type { Result } from '../record/write-results';
import { reportEgress } from '../run/report-egress';
import { bringBack, claimDue, type Due, releaseClaims, renewClaims, spreadOverdue } from './claim';
import { Plans } from './plan';
import { type PresenceSink, presenceOf } from './presence';

/** Where a scheduler claims checks and records their results: for a worker the database, for an agent the server (`server/agent/source.ts`). */
export interface ScheduleSource {
  plans: Pick<Plans, 'inParts'>;
  presence: PresenceSink;
  /** Whether checks go on, and results without a claim count, while the source cannot be reached. */
  continuesAlone: boolean;
  claimDue(aheadMs: number, limit: number, without: string[]): Promise<Due>;
  /** Returns the ends of the claims that are still held, by `claimKey`. */
  renewClaims(monitorIds: string[]): Promise<Map<string, Date>>;
  releaseClaims(): Promise<void>;
  recordResults(results: Result[]): Promise<Recorded>;
  reportEgress: typeof reportEgress;
  /** Called before checks are claimed after a pause. */
  afterPause(): Promise<void>;
  /** Moves the schedule back after the clock of the database was set back. Returns the number of moved states. */
  bringBack(): Promise<number>;
  planMaintenance(isStopping: () => boolean): Promise<void>;
  /** Calls `wake` when checks may be due. Resolves with functions that stop it. */
  listen(wake: () => void): Promise<(() => void)[]>;
}

/** Returns the database as the source of a worker. */
export function databaseSource(worker: string, region: string): ScheduleSource {
  return {
    plans: new Plans(),
    presence: presenceOf(worker, region),
    continuesAlone: true,
    claimDue: (aheadMs, limit, without) => claimDue(worker, region, aheadMs, limit, without),
    renewClaims: (ids) => renewClaims(worker, ids),
    releaseClaims: () => releaseClaims(worker),
    recordResults: (results) => recordResults(results[0]?.claim ? worker : null, results, 'skip'),
    reportEgress,
    async afterPause() {
      for (const each of ['', region]) await spreadOverdue(each);
    },
    bringBack,
    planMaintenance: (isStopping) => planAhead({ isStopping }),
    listen: (wake) => Promise.all([listen('schedule', wake), listen('resumed', wake)]),
  };
}
