import { toWatch } from '@/server/history/watch';
import { openConfig } from '@/server/monitor-types/config/config-secrets';
import { effectiveConfirm } from '@/server/monitor-types/config/confirm';
import { withBodyChoice } from '@/server/monitor-types/config/saves-response-body';
import { testsConnection } from '@/server/monitor-types/config/tests-connection';
import { definitionOf, isPassive } from '@/server/monitor-types/definitions';
import type { CheckedConfig, HttpConfig, IncidentSeverity, MonitorType } from '@/server/monitor-types/schema';
import { db } from '@/server/platform/db';
import { log } from '@/server/platform/log';
import { SizedCache } from '@/server/platform/sized-cache';
import { FLAP_CHANGES, FLAP_CHANGES_OF_PINGS } from '../verdict/flapping';
import type { HeartbeatSchedule } from '../verdict/heartbeat';
import { confirmedByOthers } from '../verdict/regional-policy';
import type { Policy } from '../verdict/types';

/** The columns of a monitor that a check needs. */
export interface MonitorRow {
  id: string;
  num: number;
  teamId: string;
  type: MonitorType;
  name: string;
  severity: IncidentSeverity;
  config: unknown;
  intervalSeconds: number;
  version: number;
  regions: string[];
  watchChangedAt: Date | null;
  formerWatchMs: number | null;
}

/** The columns of a `MonitorRow`. */
export const planColumns = {
  id: true,
  num: true,
  teamId: true,
  type: true,
  name: true,
  severity: true,
  config: true,
  intervalSeconds: true,
  version: true,
  regions: true,
  watchChangedAt: true,
  formerWatchMs: true,
} as const satisfies Record<keyof MonitorRow, true>;

/** One version of a monitor as it is checked: its decrypted config and the rules for its verdict. */
export interface Plan {
  monitor: Omit<MonitorRow, 'config' | 'regions' | 'watchChangedAt' | 'formerWatchMs'>;
  /** The regions that check it; if empty, any worker does. */
  regions: string[];
  /** Null if its secrets cannot be decrypted, and for a passive type, which has no checks. */
  target: CheckedConfig | null;
  policy: Policy;
  /** The number of days before its expiry at which a certificate is reported; 0 turns that off. */
  warnDays: number;
  /** When pings are due; null for an active type. */
  pingSchedule: HeartbeatSchedule | null;
  /** Whether the connection is tested between checks. */
  testsConnection: boolean;
  /** The key of the concurrency limit that checks of one host share. */
  host: string;
}

/** Decrypts the config of a monitor. Null for a passive type, and if the secrets cannot be decrypted, which is logged. */
function open({ id, type, config }: MonitorRow): CheckedConfig | null {
  if (isPassive(type)) return null;
  try {
    return withBodyChoice(openConfig(type, config)) as CheckedConfig;
  } catch (error) {
    log.error({ err: error, monitor: id }, 'The secrets of a monitor cannot be decrypted');
    return null;
  }
}

type Confirmation = Pick<
  Policy,
  'failures' | 'recoveries' | 'retryDelayMs' | 'degraded' | 'flapChanges' | 'countsRelapses' | 'isAdaptive'
>;

/** Pings and missed pings are not confirmed. */
const AT_ONCE = {
  failures: 1,
  recoveries: 1,
  retryDelayMs: 0,
  degraded: null,
  flapChanges: FLAP_CHANGES_OF_PINGS,
  countsRelapses: false,
  isAdaptive: false,
};

/** Returns how a monitor's status changes are confirmed, in each of its regions. Certificate incidents have rules of their own. */
export function confirmationOf({
  type,
  config,
  regions,
}: Pick<MonitorRow, 'type' | 'config' | 'regions'>): Confirmation {
  const { schedule, isDegradedBySpeed } = definitionOf(type);
  if (schedule) return AT_ONCE;
  const set = (config as HttpConfig).confirm;
  const { degraded, ...confirm } = effectiveConfirm(set);
  // A number of failures or a delay that a user set is neither extended for a noisy monitor nor shortened for a target that hangs.
  const isAdaptive = set?.failures === undefined && set?.retryDelayMs === undefined;
  const all = {
    ...confirm,
    degraded: isDegradedBySpeed ? degraded : null,
    flapChanges: FLAP_CHANGES,
    // A user who set the confirmation is notified of every recovery and downtime.
    countsRelapses: set?.failures === undefined && set?.recoveries === undefined && set?.retryDelayMs === undefined,
    isAdaptive,
  };
  return regions.length > 1 ? confirmedByOthers(all) : all;
}

export function toPlan(row: MonitorRow): Plan {
  const { config: _config, regions, watchChangedAt: _at, formerWatchMs: _ms, ...monitor } = row;
  const target = open(row);
  const { intervalSeconds } = row;
  const definition = definitionOf(row.type);
  const schedule = definition.schedule?.(row.config);
  return {
    monitor,
    regions,
    target,
    policy: {
      monitorNum: row.num,
      intervalSeconds: row.intervalSeconds,
      ...toWatch(row),
      ...confirmationOf(row),
    },
    warnDays: (target && definition.certificateWarnDays?.(target.config)) ?? 0,
    pingSchedule: schedule ? { ...schedule, intervalSeconds } : null,
    testsConnection: target !== null && testsConnection({ ...target, intervalSeconds, regions }),
    host: target ? definition.limitKey(target.config) : '',
  };
}

/** The maximum number of cached plans, and of the characters of all their configs together. One config has up to 64 Ki. */
const MOST = { entries: 50_000, size: 64 * 1024 * 1024 };
/** Plans that are read by one statement: 25 of the largest configs take 40 ms. */
const READ_AT_ONCE = 25;

interface Wanted {
  monitorId: string;
  version: number;
}

const readMonitorRows = (ids: string[]): Promise<MonitorRow[]> =>
  db.monitor.findMany({ where: { id: { in: ids } }, select: planColumns });

/** Caches plans by monitor until the monitor's version changes. */
export class Plans {
  private readonly kept: SizedCache<Plan>;

  /** @param readRows reads up to `READ_AT_ONCE` monitors; by default from the database */
  constructor(
    most = MOST,
    private readonly readRows: (ids: string[]) => Promise<MonitorRow[]> = readMonitorRows,
  ) {
    this.kept = new SizedCache(most);
  }

  /**
   * Yields the plans of the wanted monitors in parts, the cached ones first. The plan of a deleted monitor is undefined; that of a monitor that was
   * edited meanwhile is the plan of its newer version.
   */
  async *inParts<Each extends Wanted>(wanted: Each[]): AsyncGenerator<{ of: Each; plan: Plan | undefined }[]> {
    const found = wanted.map((of) => ({ of, plan: this.find(of) }));
    yield found.filter(({ plan }) => plan);
    const missing = found.filter(({ plan }) => !plan).map(({ of }) => of);
    for (let from = 0; from < missing.length; from += READ_AT_ONCE) {
      const some = missing.slice(from, from + READ_AT_ONCE);
      const plans = await this.read(some.map(({ monitorId }) => monitorId));
      yield some.map((of) => ({ of, plan: plans.get(of.monitorId) }));
    }
  }

  private find({ monitorId, version }: Wanted): Plan | undefined {
    const plan = this.kept.get(monitorId);
    return plan?.monitor.version === version ? plan : undefined;
  }

  private async read(ids: string[]): Promise<Map<string, Plan>> {
    const rows = await this.readRows(ids);
    return new Map(
      rows.map((row) => {
        const plan = toPlan(row);
        this.kept.set(row.id, plan, JSON.stringify(row.config).length);
        return [row.id, plan];
      }),
    );
  }
}
