import { countAgents } from '@/server/agents/count-agents';
import { countWorkers } from '@/server/checks/schedule/count-workers';
import { knownUntil } from '@/server/history/watch';
import type { KnownRegion, RegionStatus } from '@/server/monitor-types/schema';
import type { Db } from '@/server/platform/db';
import type { Monitor, MonitorState } from '@/server/platform/generated/prisma/client';
import { namedRegions } from './queries';

/** The maximum number of regions that are read from monitors, because each of thousands of monitors may name ten others. */
const MOST_NAMED = 200;

/**
 * Returns the regions of running workers, the team's private regions, and those that its monitors name, by name, each with its number of workers or
 * agents.
 */
export async function listRegions(db: Db, teamId: string): Promise<KnownRegion[]> {
  const [running, named] = await Promise.all([countRunning(db, teamId), namedRegions(db, teamId, MOST_NAMED)]);
  const names = new Set([...running.keys(), ...named]);
  return [...names].sort().map((name) => ({ name, workers: running.get(name) ?? 0 }));
}

/** Returns the number of running workers per region, and of running agents per private region of the team. */
async function countRunning(db: Db, teamId: string): Promise<Map<string, number>> {
  const [workers, agents] = await Promise.all([countWorkers(db), countAgents(db, teamId)]);
  return new Map([...workers, ...agents]);
}

/**
 * Returns the status of a monitor in each of its regions by name, and when the first of them checks next. Null for a monitor without regions. The
 * status is unknown in a region whose last check is no longer valid.
 */
export async function readRegions(
  db: Db,
  monitor: Monitor,
  states: MonitorState[],
): Promise<{ regions: RegionStatus[]; dueAt: Date | null } | null> {
  if (monitor.regions.length === 0) return null;
  const rows = states.filter(({ region }) => region !== '').sort((a, b) => (a.region < b.region ? -1 : 1));
  const running = await countRunning(db, monitor.teamId);
  const now = new Date();
  const due = rows.flatMap(({ dueAt }) => (dueAt ? [dueAt.getTime()] : []));
  return {
    dueAt: due.length > 0 ? new Date(Math.min(...due)) : null,
    regions: rows.map(({ region, status, statusSince, lastCheckedAt, lastLatencyMs, lastError }) => ({
      region,
      status: (knownUntil(monitor, lastCheckedAt) ?? now) < now ? 'unknown' : status,
      statusSince: statusSince.toISOString(),
      lastCheckedAt: lastCheckedAt?.toISOString() ?? null,
      latencyMs: lastLatencyMs,
      error: lastError,
      isWatched: (running.get(region) ?? 0) > 0,
    })),
  };
}
