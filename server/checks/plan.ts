import { DEGRADED_CHECKS } from '@/server/monitors/config/confirm';
import { openConfig } from '@/server/monitors/open-config';
import type { CheckedConfig, HeartbeatConfig, HttpConfig, MonitorType } from '@/server/monitors/schema';
import { definitionOf } from '@/server/monitors/types/definitions';
import { toWatch } from '@/server/monitors/watch';
import { db } from '@/server/platform/db';
import { log } from '@/server/platform/log';
import type { BeatSchedule } from './heartbeat';
import type { Policy } from './transition';

/** What of a monitor's row a check is made from. */
export interface MonitorRow {
  id: string;
  num: number;
  teamId: string;
  type: MonitorType;
  name: string;
  config: unknown;
  intervalSeconds: number;
  version: number;
  regions: string[];
  watchChangedAt: Date | null;
  formerWatchMs: number | null;
}

/** A monitor as it is checked: its config in plain, and the rules for its verdict. Holds for one version of it. */
export interface Plan {
  monitor: Omit<MonitorRow, 'config' | 'regions' | 'watchChangedAt' | 'formerWatchMs'>;
  /** Where it is checked from; empty: by any worker. */
  regions: string[];
  /** Null where its secrets cannot be opened, and for a heartbeat, which is not gone to. */
  target: CheckedConfig | null;
  policy: Policy;
  /** How many days before its end a certificate is told of; 0 for never. */
  warnDays: number;
  /** When a heartbeat's pings are due; null for what is checked. */
  beats: BeatSchedule | null;
  /** Checks of one host are limited together. */
  host: string;
}

function open({ id, type, config }: MonitorRow): CheckedConfig | null {
  try {
    const opened = openConfig(type, config);
    return opened.type === 'heartbeat' ? null : opened;
  } catch (error) {
    log.error({ err: error, monitor: id }, 'The secrets of a monitor cannot be opened');
    return null;
  }
}

type Confirmation = Pick<Policy, 'failures' | 'recoveries' | 'retryDelayMs' | 'degraded'>;

/** What a ping says needs no confirmation. */
const AT_ONCE = { failures: 1, recoveries: 1, retryDelayMs: 0, degraded: null };

/** How a monitor's changes are confirmed. Only an http check is degraded by its speed; a certificate's end is told by itself. */
function confirmOf({ type, config }: Pick<MonitorRow, 'type' | 'config'>): Confirmation {
  if (type === 'heartbeat') return AT_ONCE;
  const { degraded = DEGRADED_CHECKS, ...confirm } = (config as HttpConfig).confirm;
  return { ...confirm, degraded: type === 'http' ? degraded : null };
}

function toSchedule(config: HeartbeatConfig, intervalSeconds: number): BeatSchedule {
  const { cron = null, timezone = 'UTC', graceSeconds } = config;
  return { cron, timezone, graceSeconds, intervalSeconds };
}

export function toPlan(row: MonitorRow): Plan {
  const { config: _config, regions, watchChangedAt: _at, formerWatchMs: _ms, ...monitor } = row;
  const target = open(row);
  const { type, intervalSeconds } = row;
  const definition = definitionOf(type);
  return {
    monitor,
    regions,
    target,
    policy: {
      monitorNum: row.num,
      intervalSeconds: row.intervalSeconds,
      ...toWatch(row),
      ...confirmOf(row),
    },
    warnDays: (target && definition.certificateWarnDays?.(target.config)) ?? 0,
    beats: type === 'heartbeat' ? toSchedule(row.config as HeartbeatConfig, intervalSeconds) : null,
    host: target ? definition.limitKey(target.config) : '',
  };
}

const MOST_KEPT = 50_000;

/** Plans by monitor, kept as long as the monitor's version is the same. */
export class Plans {
  private readonly kept = new Map<string, Plan>();

  /** The plans of these monitors. One that is gone has none; one that was edited just now has its newer version's. */
  async load(wanted: { monitorId: string; version: number }[]): Promise<Map<string, Plan>> {
    const missing = wanted.filter(({ monitorId, version }) => this.kept.get(monitorId)?.monitor.version !== version);
    if (missing.length > 0) await this.read(missing.map(({ monitorId }) => monitorId));
    const found = wanted.flatMap(({ monitorId }) => {
      const plan = this.kept.get(monitorId);
      return plan ? [[monitorId, plan] as const] : [];
    });
    return new Map(found);
  }

  private async read(ids: string[]): Promise<void> {
    const rows = await db.monitor.findMany({
      where: { id: { in: ids } },
      select: {
        id: true,
        num: true,
        teamId: true,
        type: true,
        name: true,
        config: true,
        intervalSeconds: true,
        version: true,
        regions: true,
        watchChangedAt: true,
        formerWatchMs: true,
      },
    });
    if (this.kept.size + rows.length > MOST_KEPT) this.kept.clear();
    for (const id of ids) this.kept.delete(id);
    for (const row of rows) this.kept.set(row.id, toPlan(row));
  }
}
